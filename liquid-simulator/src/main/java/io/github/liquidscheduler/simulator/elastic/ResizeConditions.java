package io.github.liquidscheduler.simulator.elastic;

import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a simulation of jobs of several sizes needs to know.
 *
 * @param speed how fast each job is at each size
 * @param sizes the sizes that each job may have, by which it is submitted; the preferred one is the
 *     size in the trace
 * @param times for how long jobs stand still
 * @param deadlines when each job has to have ended, since the trace began, if it has a deadline
 */
public record ResizeConditions(
    CurveSpeed speed,
    Function<TraceJob, Parallelism> sizes,
    ResizeTimes times,
    Function<TraceJob, Optional<Duration>> deadlines) {

  /** Makes conditions of jobs that have no deadlines. */
  public ResizeConditions(
      CurveSpeed speed, Function<TraceJob, Parallelism> sizes, ResizeTimes times) {
    this(speed, sizes, times, job -> Optional.empty());
  }

  /** Checks that nothing is null. */
  public ResizeConditions {
    Objects.requireNonNull(speed, "speed");
    Objects.requireNonNull(sizes, "sizes");
    Objects.requireNonNull(times, "times");
    Objects.requireNonNull(deadlines, "deadlines");
  }
}
