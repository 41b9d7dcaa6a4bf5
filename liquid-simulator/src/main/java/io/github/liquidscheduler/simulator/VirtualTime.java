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

  static Instant instant(long time) {
    return Instant.ofEpochSecond(time / NANOS, time % NANOS);
  }

  /** Returns the time of {@code instant}, capped at the largest. */
  static long of(Instant instant) {
    return instant.getEpochSecond() >= Long.MAX_VALUE / NANOS
        ? Long.MAX_VALUE
        : instant.getEpochSecond() * NANOS + instant.getNano();
  }

  static Duration duration(long time) {
    return Duration.ofNanos(time);
  }

  static double seconds(long time) {
    return time / 1e9;
  }
}
