package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.json.JsonCodecs;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.simulator.baseline.BaselinePlacers;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Decides once about the jobs of a file on an empty cluster. */
@Command(
    name = "place",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpWidth = 100,
    description = {
      "Decides once about the jobs of a file on an empty cluster, and prints as JSON what starts"
          + " where, what can never run, and why the others wait.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  liquid place --cluster 4x8xV100 --jobs jobs.json",
      "  liquid place --cluster cluster.json --jobs jobs.json --policy fifo",
      "  liquid place --cluster cluster.json --jobs jobs.json --placer least-cost --explain",
      "",
      "A jobs file is an array, such as",
      "  [{\"id\": \"train-7\", \"roles\": [{\"name\": \"worker\", \"count\": 16, \"request\":"
          + " {\"gpus\": 1}}]}]",
      "docs/formats.md describes both files."
    })
public final class PlaceCommand implements Callable<Integer> {

  @Option(
      names = "--cluster",
      required = true,
      paramLabel = "CLUSTER",
      converter = ClusterArgument.class,
      description = "JSON file of a cluster, or a shorthand such as 64x8xV100.")
  private @Nullable ClusterTopology cluster;

  @Option(
      names = "--jobs",
      required = true,
      paramLabel = "FILE",
      description = "JSON file of the jobs, in the order of their submission.")
  private Path jobs = Path.of("");

  @Option(
      names = "--policy",
      defaultValue = "best-effort-fifo",
      converter = PolicyArgument.class,
      description =
          "Who goes first: fifo, best-effort-fifo, priority, guaranteed-first, sjf, srtf or las"
              + " (default: ${DEFAULT-VALUE}).")
  private SchedulingPolicy policy = Policies.bestEffortFifo();

  @Option(
      names = "--placer",
      paramLabel = "PLACER",
      defaultValue = "best-fit",
      description =
          "Who finds places: best-fit, least-cost, or to compare with random, even-spread,"
              + " least-allocated, pack, buddy-cells or liquid; where jobs may share GPUs"
              + " share-first-fit, share-liquid, share-gandiva, share-antman or share-lucid"
              + " (default: ${DEFAULT-VALUE}).")
  private String placer = "best-fit";

  @Option(
      names = "--explain",
      description =
          "Print for people instead: what each place costs on the network and why, beside the two"
              + " best that were not chosen. Jobs are taken to compute for 250 ms an iteration.")
  private boolean explain;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    List<JobSpec> submitted = JsonCodecs.JOBS.read(jobs);
    ComparingPlacer places = new ComparingPlacer(placer, BaselinePlacers.named(placer, 0), explain);
    LiquidScheduler scheduler =
        LiquidScheduler.builder(Objects.requireNonNull(cluster))
            .policy(policy)
            .placer(places)
            .build();
    if (explain) {
      explain(submitted, scheduler, places);
    } else {
      decide(submitted, scheduler);
    }
    return 0;
  }

  private void explain(List<JobSpec> submitted, LiquidScheduler scheduler, ComparingPlacer places) {
    PlaceExplanation explanation = new PlaceExplanation(placer, spec.commandLine().getOut());
    for (JobSpec job : submitted) {
      for (Decision decision : scheduler.on(new ClusterEvent.JobSubmitted(Instant.EPOCH, job))) {
        explanation.print(decision, places);
      }
    }
    scheduler.waiting().forEach(job -> explanation.print(scheduler.explain(job)));
    spec.commandLine().getOut().flush();
  }

  private void decide(List<JobSpec> submitted, LiquidScheduler scheduler) {
    List<String> decisions = new ArrayList<>();
    for (JobSpec job : submitted) {
      for (Decision decision : scheduler.on(new ClusterEvent.JobSubmitted(Instant.EPOCH, job))) {
        decisions.add(JsonCodecs.DECISION.writeIndented(decision));
      }
    }
    List<String> waiting = new ArrayList<>();
    for (JobId job : scheduler.waiting()) {
      waiting.add(JsonCodecs.EXPLANATION.writeIndented(scheduler.explain(job)));
    }
    print(decisions, waiting);
  }

  private void print(List<String> decisions, List<String> waiting) {
    PrintWriter out = spec.commandLine().getOut();
    out.println("{");
    out.println("  \"decisions\": " + array(decisions) + ",");
    out.println("  \"waiting\": " + array(waiting));
    out.println("}");
    out.flush();
  }

  private static String array(List<String> values) {
    return values.isEmpty()
        ? "[]"
        : "[\n" + String.join(",\n", values).indent(4).stripTrailing() + "\n  ]";
  }

  /** A policy by its name. */
  static final class PolicyArgument implements ITypeConverter<SchedulingPolicy> {
    @Override
    public SchedulingPolicy convert(String value) {
      try {
        return Policies.named(value);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
