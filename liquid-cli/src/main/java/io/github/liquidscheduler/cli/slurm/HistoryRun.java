package io.github.liquidscheduler.cli.slurm;

import io.github.liquidscheduler.cli.output.DisplayFormat;
import io.github.liquidscheduler.cli.output.Table;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.reconcile.ClusterPort;
import io.github.liquidscheduler.reconcile.NodeCondition;
import io.github.liquidscheduler.reconcile.Observation;
import io.github.liquidscheduler.simulator.JobFate;
import io.github.liquidscheduler.simulator.Simulation;
import io.github.liquidscheduler.simulator.SimulationResult;
import io.github.liquidscheduler.simulator.conditions.Overheads;
import io.github.liquidscheduler.simulator.metrics.DurationDistribution;
import io.github.liquidscheduler.simulator.metrics.JobOutcome;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceFormat;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import io.github.liquidscheduler.simulator.trace.TraceRequest;
import io.github.liquidscheduler.slurm.SlurmConfig;
import io.github.liquidscheduler.text.Count;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What a time past would have been like: the jobs of Slurm's accounting on the nodes that are there
 * now, decided in virtual time, and how long they waited beside how long they waited in Slurm.
 */
final class HistoryRun {

  private final SlurmConfig config;
  private final ClusterPort slurm;
  private final SchedulerMaker maker;
  private final PrintWriter out;

  HistoryRun(SlurmConfig config, ClusterPort slurm, SchedulerMaker maker, PrintWriter out) {
    this.config = config;
    this.slurm = slurm;
    this.maker = maker;
    this.out = out;
  }

  /**
   * Runs the jobs that {@code sacct} printed, and prints the waits of each partition.
   *
   * @param overhead how long a start takes
   * @throws IOException if Slurm does not answer
   */
  void run(Path accounting, Duration overhead) throws IOException {
    Observation seen = slurm.observe();
    ClusterTopology cluster = seen.cluster();
    for (Node node : seen.cluster().nodes()) {
      if (seen.conditions().get(node.id()) == NodeCondition.DOWN) {
        cluster = cluster.withoutNode(node.id());
      }
    }
    Trace jobs = TraceFormat.SACCT.reader().open(accounting).held();
    jobs.warnings().forEach(warning -> out.printf("left out %s%n", warning));
    Simulation.Builder simulation =
        Simulation.builder(jobs, maker.simulated(cluster))
            .overheads(new Overheads(overhead, Duration.ZERO))
            .submittedAs(this::submitted);
    maker.queues().ifPresent(simulation::queues);
    print(simulation.build().run(), overhead, Count.of(cluster.nodes().size(), "node"));
  }

  /** Returns a job as it would be read from Slurm: what is expected of it is its time limit. */
  private JobSpec submitted(TraceJob job) {
    TraceRequest request = job.request().orElseThrow();
    JobSpec.Builder spec =
        JobSpec.builder(job.id()).roles(request.roles()).gpuModels(request.gpuModels());
    if (request.roles().getFirst().count() > 1) {
      spec.topology(TopologyConstraint.NONE.andSpread(1, ClusterTopology.NODE));
    }
    job.timeLimit().ifPresent(limit -> spec.expectedWork(ExpectedWork.ofDuration(limit)));
    config.describe(
        spec,
        job.virtualCluster().orElse(""),
        job.labels().getOrDefault("account", ""),
        job.labels().getOrDefault("qos", ""));
    return spec.build();
  }

  private void print(SimulationResult result, Duration overhead, String nodes) {
    Map<String, List<JobOutcome>> byPartition =
        result.finished().stream()
            .map(JobFate.Finished::outcome)
            .filter(outcome -> outcome.job().waited().isPresent())
            .collect(
                Collectors.groupingBy(
                    outcome -> outcome.job().virtualCluster().orElse(""),
                    TreeMap::new,
                    Collectors.toList()));
    Table table =
        Table.of("partition | jobs | Slurm: mean wait | p95 wait | Liquid: mean wait | p95 wait");
    byPartition.forEach((partition, jobs) -> table.row(row(partition, jobs, overhead)));
    if (byPartition.size() > 1) {
      table.row(row("all", byPartition.values().stream().flatMap(List::stream).toList(), overhead));
    }
    table.print(out);
    result.rejected().stream()
        .findFirst()
        .ifPresent(
            first ->
                out.printf(
                    "%s could never run, the first, %s: %s%n",
                    Count.of(result.rejected().size(), "job"), first.job().id(), first.why()));
    out.printf(
        "%nThe same jobs on %s, those that are up now; Liquid knew their time limits, not how long"
            + " they run.%nNothing was changed.%n",
        nodes);
    out.flush();
  }

  private static List<String> row(String name, List<JobOutcome> jobs, Duration overhead) {
    DurationDistribution before = waits(jobs, outcome -> outcome.job().waited().orElseThrow());
    DurationDistribution now =
        waits(jobs, outcome -> outcome.firstStart().plus(overhead).minus(outcome.job().submit()));
    return List.of(
        name,
        Integer.toString(jobs.size()),
        DisplayFormat.time(before.average()),
        DisplayFormat.time(before.percentile(95)),
        DisplayFormat.time(now.average()),
        DisplayFormat.time(now.percentile(95)));
  }

  private static DurationDistribution waits(
      List<JobOutcome> jobs, Function<JobOutcome, Duration> wait) {
    return DurationDistribution.of(jobs.stream().map(wait).toList());
  }
}
