package io.github.liquidscheduler.cli.rounds;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.rounds.planner.RoundJob;
import io.github.liquidscheduler.rounds.planner.RoundPlan;
import io.github.liquidscheduler.rounds.planner.RoundProblem;
import io.github.liquidscheduler.simulator.report.HtmlReport;
import io.github.liquidscheduler.simulator.report.RoundTimeline;
import io.github.liquidscheduler.simulator.rounds.TraceRounds;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import io.github.liquidscheduler.text.Count;
import java.time.Duration;
import java.util.List;

/** The report of a plan of rounds. */
final class RoundsReport {

  private RoundsReport() {}

  /** Returns the report of a plan, which {@code command} makes again. */
  static HtmlReport of(RoundProblem problem, RoundPlan plan, String algorithm, String command) {
    Trace trace = Trace.of("jobs", problem.jobs().stream().map(RoundsReport::job).toList());
    String input =
        "%s of rounds on %s"
            .formatted(
                Count.of(trace.jobs().size(), "job"), Count.of(problem.gpus().size(), "GPU"));
    return new HtmlReport(trace, fleet(problem.gpus()), input, command)
        .add(algorithm, RoundTimeline.of(trace, plan), TraceRounds.run(trace, plan));
  }

  private static TraceJob job(RoundJob job) {
    return TraceJob.builder(job.id().value())
        .submit(Duration.ofNanos(Math.round(job.arrival() * 1e9)))
        .gpus(job.scale())
        .iterations(job.rounds())
        .build();
  }

  /** Returns nodes of equal neighbours of the fleet, which keep their numbers. */
  private static ClusterTopology fleet(List<GpuModel> gpus) {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    int first = 0;
    for (int end = 1; end <= gpus.size(); end++) {
      boolean isLast =
          end == gpus.size()
              || !gpus.get(end).equals(gpus.get(first))
              || end - first == Node.MAX_GPUS;
      if (isLast) {
        GpuModel model = gpus.get(first);
        cluster.node(
            Node.builder("%s from %d on".formatted(model, first))
                .gpus(end - first, model, new Memory(Long.MAX_VALUE))
                .build());
        first = end;
      }
    }
    return cluster.build();
  }
}
