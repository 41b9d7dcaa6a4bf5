package io.github.liquidscheduler.cli.queues;

import io.github.liquidscheduler.cli.output.OptionRules;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.json.JsonCodecs;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.simulator.Simulation;
import io.github.liquidscheduler.simulator.SimulationResult;
import io.github.liquidscheduler.simulator.fairness.FairnessReport;
import io.github.liquidscheduler.simulator.fairness.QueueMeter;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import io.github.liquidscheduler.simulator.trace.TraceSource;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The queues that share the cluster of a simulation. */
public final class QueueOptions {

  /** The policy inside queues if none is given: one under which no queue waits for one job. */
  public static final String POLICY = "best-effort-fifo";

  @Option(
      names = "--queues",
      paramLabel = "FILE",
      description =
          "JSON file of a tree of queues with quotas (docs/queues.md). A job is in the queue of its"
              + " virtual cluster, or in 'default'. Prints how fairly queues were treated. The"
              + " default of --policy is then best-effort-fifo.")
  private @Nullable Path file;

  private @Nullable QueueMeter meter;

  /** Returns true if there are queues. */
  public boolean isGiven() {
    return file != null;
  }

  /** Refuses queues beside what they are not supported with. */
  public void check(CommandSpec spec, boolean isApart) {
    OptionRules.refuseIf(
        spec, isGiven() && isApart, "--queues is not for --elastic or --estimator compare");
  }

  /**
   * Lets the queues share the cluster, and watches them.
   *
   * @throws IllegalArgumentException if the file is no tree of queues, or a job is in no leaf of it
   */
  public void apply(Simulation.Builder simulation, TraceSource trace) {
    if (file != null) {
      QueueTree tree = JsonCodecs.QUEUES.read(file);
      trace.forEach(job -> requireLeaf(tree, job, trace));
      meter = new QueueMeter(tree);
      simulation.queues(tree).listener(meter);
    }
  }

  private void requireLeaf(QueueTree tree, TraceJob job, TraceSource trace) {
    QueueName queue = job.virtualCluster().map(QueueName::of).orElse(QueueName.DEFAULT);
    if (!tree.isLeaf(queue)) {
      throw new IllegalArgumentException(
          "a job must be in a leaf of the queues of %s (%s), but %s of %s is in '%s'"
              .formatted(file, leaves(tree), job, trace.source(), queue));
    }
  }

  private static String leaves(QueueTree tree) {
    return tree.queues().stream()
        .map(QueueSpec::name)
        .filter(tree::isLeaf)
        .map(QueueName::value)
        .collect(Collectors.joining(", "));
  }

  /** Returns the fairness report, or empty if there are no queues. */
  public Optional<FairnessReport> report(SimulationResult result, int gpus) {
    return Optional.ofNullable(meter).map(watched -> FairnessReport.of(watched, result, gpus));
  }

  /** Names the file among the settings of a run. */
  public void addTo(Map<String, String> settings) {
    if (file != null) {
      settings.put("queues", file.toString());
    }
  }
}
