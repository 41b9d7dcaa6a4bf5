package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.cli.output.DisplayFormat;
import io.github.liquidscheduler.simulator.RunSummary;
import io.github.liquidscheduler.simulator.metrics.JctStatistics;
import io.github.liquidscheduler.simulator.trace.TraceSource;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Notes on results that look odd: policies with equal results, slow batches. */
final class SimulationNotes {

  private SimulationNotes() {}

  /** Returns why a policy may have decided as a simpler one would have; nothing if it did not. */
  static Optional<String> ofPolicy(String policy, TraceSource trace, RunSummary result) {
    if (nobodyWaited(result)) {
      return Optional.of("No job waited, so every policy gives this result.");
    }
    boolean nothingStopped = result.counts().preemptions() + result.counts().failures() == 0;
    return switch (policy) {
      case "priority" -> same("Jobs of a trace have equal priorities", policy, "best-effort-fifo");
      case "las" ->
          nothingStopped
              ? same("No waiting job had attained service", policy, "best-effort-fifo")
              : Optional.empty();
      case "srtf" ->
          nothingStopped ? same("No job was pre-empted", policy, "sjf") : Optional.empty();
      case "fair-share" ->
          areInOneQueue(trace)
              ? same("All jobs are in one queue", policy, "best-effort-fifo")
              : Optional.empty();
      default -> Optional.empty();
    };
  }

  /** Returns a comparison of a run's batches with starting its jobs on arrival. */
  static Optional<String> ofBatches(RunSummary batch, RunSummary immediate) {
    return batch
        .statistics()
        .flatMap(ours -> immediate.statistics().map(others -> compared(ours, others)));
  }

  /** Returns the baseline of a run with GPU sharing: the run without. */
  static Optional<String> ofSharing(RunSummary alone) {
    return alone
        .statistics()
        .map(
            others ->
                "Without --slowdowns the average completion time is %s, and the makespan %s."
                    .formatted(
                        DisplayFormat.time(others.completion().average()),
                        DisplayFormat.time(others.makespan())));
  }

  private static String compared(JctStatistics batch, JctStatistics immediate) {
    Duration planned = batch.completion().average();
    Duration arrived = immediate.completion().average();
    String other =
        "With --mode immediate the average completion time is " + DisplayFormat.time(arrived);
    return planned.compareTo(arrived) <= 0
        ? other + "."
        : other
            + ", which is less: each window delays starts, and placement matters little in this"
            + " trace.";
  }

  private static Optional<String> same(String why, String policy, String other) {
    return Optional.of("%s, so %s decides as %s does.".formatted(why, policy, other));
  }

  private static boolean areInOneQueue(TraceSource trace) {
    Set<Optional<String>> queues = new HashSet<>();
    trace.forEach(job -> queues.add(job.virtualCluster()));
    return queues.size() == 1;
  }

  private static boolean nobodyWaited(RunSummary result) {
    return result.unfinished().isEmpty()
        && result
            .statistics()
            .map(figures -> figures.queueing().percentile(100).isZero())
            .orElse(false);
  }
}
