package io.github.liquidscheduler.cli.slurm;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.formats.slurm.HostList;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.simulator.SimulationResult;
import io.github.liquidscheduler.simulator.metrics.JobOutcome;
import io.github.liquidscheduler.simulator.report.HtmlReport;
import io.github.liquidscheduler.simulator.report.ObservedRuns;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import io.github.liquidscheduler.simulator.trace.TraceRequest;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The report for a browser of a trial that ran in several ways, the first of them the baseline. */
final class TrialReport {

  private static final int GPUS = 8;

  private final ClusterTopology cluster;
  private final Trace trace;
  private final HtmlReport report;

  /** Makes a report of jobs on nodes of 8 GPUs, and of the command that ran them. */
  TrialReport(List<TrialJob> jobs, List<String> nodes, String command) {
    ClusterTopology.Builder built = ClusterTopology.builder();
    nodes.forEach(
        name ->
            built.node(
                Node.builder(name).gpus(GPUS, GpuModel.of("A100"), Memory.ofGib(80)).build()));
    cluster = built.build();
    List<TraceJob> submitted = new ArrayList<>();
    for (int i = 0; i < jobs.size(); i++) {
      TrialJob job = jobs.get(i);
      submitted.add(
          TraceJob.builder(SlurmTrial.name(i))
              .submit(job.after())
              .duration(job.time())
              .request(TraceRequest.of(job.nodes(), ResourceRequest.ofGpus(job.gpus())))
              .build());
    }
    trace = Trace.of("trial", submitted);
    report =
        new HtmlReport(
            trace,
            cluster,
            "%d jobs that slept on a real Slurm of %d nodes with %d GPUs each"
                .formatted(jobs.size(), nodes.size(), GPUS),
            command);
  }

  /** Adds what became of the jobs in one way. */
  void add(String name, List<TrialOutcome> outcomes) {
    LocalDateTime start =
        outcomes.stream().map(TrialOutcome::submitted).min(Comparator.naturalOrder()).orElseThrow();
    Map<String, TrialOutcome> byName =
        outcomes.stream().collect(Collectors.toMap(TrialOutcome::name, Function.identity()));
    List<JobOutcome> ended = new ArrayList<>();
    List<ObservedRuns.Run> runs = new ArrayList<>();
    for (TraceJob job : trace.jobs()) {
      TrialOutcome outcome = byName.get(job.id());
      if (outcome == null) {
        throw new IllegalStateException("Slurm has forgotten job '" + job.id() + "'");
      }
      Duration began = Duration.between(start, outcome.started());
      Duration end = Duration.between(start, outcome.ended());
      TraceJob asSubmitted =
          job.toBuilder().submit(Duration.between(start, outcome.submitted())).build();
      ended.add(new JobOutcome(asSubmitted, began, end, end.minus(began), 0));
      List<String> nodes = HostList.names("the nodes of job '" + job.id() + "'", outcome.nodes());
      runs.add(
          new ObservedRuns.Run(
              job.id(),
              began,
              end,
              nodes.stream().map(NodeId::of).toList(),
              job.gpus() / nodes.size()));
    }
    report.add(
        name,
        ObservedRuns.of(trace, cluster, runs),
        SimulationResult.finished(ended, cluster.gpuCount(), ""));
  }

  HtmlReport report() {
    return report;
  }
}
