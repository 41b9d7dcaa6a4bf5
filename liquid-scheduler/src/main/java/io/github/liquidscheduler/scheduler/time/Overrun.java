package io.github.liquidscheduler.scheduler.time;

import java.time.Instant;
import java.util.Optional;

/**
 * When a job ends that has run longer than was expected: first a sixteenth later, since ends are
 * reported late and jobs with a time limit take a while to stop; then after twice the expected run
 * time, after four times, and so on.
 */
public final class Overrun {

  private static final int TOLERATED_PART = 16;

  private Overrun() {}

  /**
   * Returns the expected end as of now of a job that runs; empty if it is after {@link
   * GpuTime#LATEST}.
   */
  public static Optional<Instant> end(Instant start, Instant expected, Instant now) {
    Instant end =
        expected.isBefore(now)
            ? GpuTime.instant(
                end(GpuTime.nanos(start), GpuTime.nanos(expected), GpuTime.nanos(now)))
            : expected;
    return Optional.of(end).filter(at -> !at.isAfter(GpuTime.LATEST));
  }

  /**
   * Returns the expected end as of now of a job that runs, in nanoseconds since the epoch.
   *
   * @param start its start
   * @param expected the end that was expected
   */
  public static long end(long start, long expected, long now) {
    long elapsed = now - start;
    long length = Math.max(1, GpuTime.cappedSum(expected, -start));
    long tolerated = GpuTime.cappedSum(length, length / TOLERATED_PART);
    if (length < elapsed && elapsed <= tolerated) {
      return GpuTime.cappedSum(start, tolerated);
    }
    while (length < elapsed) {
      length = GpuTime.cappedSum(length, length);
    }
    return GpuTime.cappedSum(start, length);
  }
}
