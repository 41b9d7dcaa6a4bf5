package io.github.liquidscheduler.lab.reference;

import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;

/** The times of jobs for simulators that count in whole seconds. */
public final class WholeSeconds {

  private WholeSeconds() {}

  /**
   * Returns when a job was submitted.
   *
   * @throws IllegalArgumentException if that is not whole seconds
   */
  public static long submission(TraceJob job) {
    return of("submission", job.submit(), job);
  }

  /**
   * Returns how long a job runs.
   *
   * @throws IllegalArgumentException if that is not known, or not whole seconds
   */
  public static long duration(TraceJob job) {
    Duration duration =
        job.duration()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "a job must have a duration to be counted, but had none, for " + job));
    return of("duration", duration, job);
  }

  private static long of(String what, Duration time, TraceJob job) {
    if (time.toNanosPart() != 0) {
      throw new IllegalArgumentException(
          "the %s must be whole seconds, but was %s, for %s".formatted(what, time, job));
    }
    return time.toSeconds();
  }
}
