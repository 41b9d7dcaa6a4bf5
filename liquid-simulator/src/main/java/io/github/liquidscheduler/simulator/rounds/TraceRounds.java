package io.github.liquidscheduler.simulator.rounds;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.rounds.planner.RoundPlan;
import io.github.liquidscheduler.simulator.SimulationResult;
import io.github.liquidscheduler.simulator.metrics.JobOutcome;
import io.github.liquidscheduler.simulator.metrics.RunDigest;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What becomes of the jobs of a trace that train in rounds, as a plan says. */
public final class TraceRounds {

  private TraceRounds() {}

  /**
   * Returns the result of a trace under a plan.
   *
   * @throws NullPointerException if a job of the trace is not in the plan
   */
  public static SimulationResult run(Trace trace, RoundPlan plan) {
    Map<JobId, Held> held = new HashMap<>();
    for (List<RoundPlan.Run> sequence : plan.sequences()) {
      sequence.forEach(run -> held.computeIfAbsent(run.job(), job -> new Held()).add(run));
    }
    List<JobOutcome> outcomes =
        trace.jobs().stream()
            .map(job -> outcome(job, Objects.requireNonNull(held.get(JobId.of(job.id())))))
            .toList();
    return SimulationResult.finished(outcomes, plan.sequences().size(), digest(plan));
  }

  private static final class Held {
    double first = Double.POSITIVE_INFINITY;
    double last;
    double gpuSeconds;

    void add(RoundPlan.Run run) {
      first = Math.min(first, run.start());
      last = Math.max(last, run.synchronizedAt());
      gpuSeconds += run.end() - run.start();
    }
  }

  private static JobOutcome outcome(TraceJob job, Held held) {
    Duration first = max(job.submit(), duration(held.first));
    Duration end = max(first, duration(held.last));
    Duration running = duration(held.gpuSeconds / job.gpus());
    Duration longest = end.minus(first);
    return new JobOutcome(job, first, end, running.compareTo(longest) > 0 ? longest : running, 0);
  }

  private static Duration max(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  private static String digest(RoundPlan plan) {
    RunDigest digest = new RunDigest();
    for (int gpu = 0; gpu < plan.sequences().size(); gpu++) {
      for (RoundPlan.Run run : plan.sequences().get(gpu)) {
        digest.add(
            "%d %s %d %d %d"
                .formatted(
                    gpu, run.job(), run.round(), run.task(), duration(run.start()).toNanos()));
      }
    }
    return digest.hexadecimal();
  }

  private static Duration duration(double seconds) {
    return Duration.ofNanos(Math.round(seconds * 1e9));
  }
}
