package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.simulator.Simulation;
import io.github.liquidscheduler.simulator.elastic.CurveSpeed;
import io.github.liquidscheduler.simulator.elastic.ElasticInput;
import io.github.liquidscheduler.simulator.elastic.ResizeConditions;
import io.github.liquidscheduler.simulator.elastic.ResizeTimes;
import io.github.liquidscheduler.simulator.trace.Trace;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a simulation of elastic jobs by the scheduler is made of.
 *
 * @param input the jobs
 * @param speed how fast they are
 * @param times how long changes take
 * @param rules by what sizes change; empty if none does
 * @param thresholds the service thresholds of the policy las; none for the default
 * @param isMeasured whether only measured sizes are given
 */
record ElasticRuns(
    ElasticInput input,
    CurveSpeed speed,
    ResizeTimes times,
    Optional<Elasticity> rules,
    List<Duration> thresholds,
    boolean isMeasured) {

  /** A job gets at most so many times the GPUs with which it was submitted. */
  private static final int MOST_TIMES = 4;

  /** How often jobs report their progress. */
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
    simulation.elastic(new ResizeConditions(speed, this::sizes, times)).reportEvery(REPORTS);
  }

  /** Returns the sizes of a job; without rules it does not even start smaller. */
  private Parallelism sizes(TraceJob job) {
    return rules.isPresent()
        ? input.sizes(job, MOST_TIMES, isMeasured)
        : Parallelism.fixed(job.gpus());
  }
}
