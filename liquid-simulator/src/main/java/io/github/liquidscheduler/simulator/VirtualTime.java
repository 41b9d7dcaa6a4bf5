package io.github.liquidscheduler.simulator;

import java.time.Duration;
import java.time.Instant;

/** Times of a simulation as nanoseconds since the start of the trace, which is the epoch. */
final class VirtualTime {

  private static final long NANOS = 1_000_000_000L;

  private VirtualTime() {}

  /** Returns {@code time + nanos}. */
  static long after(long time, long nanos) {
    long sum = time + nanos;
    if (sum < time) {
      throw new IllegalArgumentException(
          "a simulation can last at most 292 years, but a job would end after that");
    }
    return sum;
  }

  /** Returns the instant of a time of a simulation that begins at {@code start}. */
  static Instant instant(Instant start, long time) {
    return start.plusNanos(time);
  }

  /** Returns the time of {@code instant} since {@code start}, capped at the largest. */
  static long between(Instant start, Instant instant) {
    Duration time = Duration.between(start, instant);
    return time.toSeconds() >= Long.MAX_VALUE / NANOS ? Long.MAX_VALUE : time.toNanos();
  }

  static Duration duration(long time) {
    return Duration.ofNanos(time);
  }

  static double seconds(long time) {
    return time / 1e9;
  }
}
