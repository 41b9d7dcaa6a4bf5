package io.github.liquidscheduler.simulator.elastic;

import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.util.Objects;
import java.util.function.Function;

/**
 * What a simulation of jobs of several sizes needs to know.
 *
 * @param speed how fast each job is at each size
 * @param sizes the sizes that each job may have, by which it is submitted; the preferred one is the
 *     size in the trace
 * @param times for how long jobs stand still
 */
public record ResizeConditions(
    CurveSpeed speed, Function<TraceJob, Parallelism> sizes, ResizeTimes times) {

  /** Checks that nothing is null. */
  public ResizeConditions {
    Objects.requireNonNull(speed, "speed");
    Objects.requireNonNull(sizes, "sizes");
    Objects.requireNonNull(times, "times");
  }
}
