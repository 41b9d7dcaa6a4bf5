package io.github.liquidscheduler.simulator.elastic;

import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * The conditions of a simulation of elastic jobs.
 *
 * @param speed the speed of each job at each size
 * @param sizes the allowed sizes of each job, used in its submission; the preferred one is the
 *     trace's
 * @param times the durations of size changes
 * @param deadlines the deadline of each job since the trace began, if it has one
 */
public record ResizeConditions(
    CurveSpeed speed,
    Function<TraceJob, Parallelism> sizes,
    ResizeTimes times,
    Function<TraceJob, Optional<Duration>> deadlines) {

  /** Checks that nothing is null. */
  public ResizeConditions {
    Objects.requireNonNull(speed, "speed");
    Objects.requireNonNull(sizes, "sizes");
    Objects.requireNonNull(times, "times");
    Objects.requireNonNull(deadlines, "deadlines");
  }
}
