package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.simulator.JobFate;
import io.github.liquidscheduler.simulator.Simulation;
import io.github.liquidscheduler.simulator.SimulationResult;
import io.github.liquidscheduler.simulator.elastic.CurveSpeed;
import io.github.liquidscheduler.simulator.elastic.ElasticInput;
import io.github.liquidscheduler.simulator.elastic.ResizeConditions;
import io.github.liquidscheduler.simulator.elastic.ResizeTimes;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import io.github.liquidscheduler.text.Count;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The settings of a simulation of elastic jobs by the scheduler. Without rules no size changes,
 * without thresholds the policy las has its default ones, and without slack, from arrival by the
 * duration at the submitted size, jobs have no deadlines.
 */
record ElasticRuns(
    ElasticInput input,
    CurveSpeed speed,
    ResizeTimes times,
    Optional<Elasticity> rules,
    List<Duration> thresholds,
    boolean isMeasured,
    Optional<UnaryOperator<Duration>> slack) {

  /** The most that a job grows, relative to the GPUs with which it was submitted. */
  private static final int MOST_TIMES = 4;

  private static final Duration REPORTS = Duration.ofSeconds(30);

  Trace trace() {
    return input.trace();
  }

  void apply(LiquidScheduler.Builder scheduler) {
    rules.ifPresent(scheduler::elasticity);
    if (!thresholds.isEmpty()) {
      scheduler.policy(Policies.leastAttainedService(thresholds));
    }
  }

  void apply(Simulation.Builder simulation) {
    simulation
        .elastic(new ResizeConditions(speed, this::sizes, times, this::deadline))
        .reportEvery(REPORTS);
  }

  private Optional<Duration> deadline(TraceJob job) {
    return slack.map(after -> job.submit().plus(after.apply(speed.work(job))));
  }

  /** Returns a sentence on how many jobs met their deadlines; empty if they have none. */
  Optional<String> deadlines(SimulationResult result) {
    if (slack.isEmpty()) {
      return Optional.empty();
    }
    long met =
        result.finished().stream()
            .map(JobFate.Finished::outcome)
            .filter(ended -> ended.end().compareTo(deadline(ended.job()).orElseThrow()) <= 0)
            .count();
    return Optional.of(
        "Deadlines: %d of %s met, %d refused, %d late."
            .formatted(
                met,
                Count.of(result.fates().size(), "job"),
                result.rejected().size(),
                result.finished().size() - met));
  }

  /** Returns the sizes of a job; without rules it does not even start smaller. */
  private Parallelism sizes(TraceJob job) {
    return rules.isPresent()
        ? input.sizes(job, MOST_TIMES, isMeasured)
        : Parallelism.fixed(job.gpus());
  }
}
