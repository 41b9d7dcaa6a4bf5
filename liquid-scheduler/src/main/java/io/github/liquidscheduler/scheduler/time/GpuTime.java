package io.github.liquidscheduler.scheduler.time;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Exact sums and products of times, capped instead of overflowing. */
public final class GpuTime {

  /** Half the range of a duration, so that two of them can be added. */
  public static final Duration MOST = Duration.ofSeconds(Long.MAX_VALUE / 2);

  /**
   * The last instant that an event may have: nanoseconds since the epoch, the first one, fit a
   * {@code long} until then, and for a hundred days longer.
   */
  public static final Instant LATEST = Instant.parse("2261-12-31T23:59:59.999999999Z");

  private static final long NANOS = 1_000_000_000L;

  private GpuTime() {}

  /** Returns {@code time} times {@code gpus}. */
  public static Duration times(Duration time, int gpus) {
    if (gpus > 0 && time.getSeconds() > MOST.toSeconds() / gpus - 1) {
      return MOST;
    }
    return Duration.ofSeconds(time.getSeconds() * gpus, (long) time.getNano() * gpus);
  }

  /** Returns {@code time} divided by a positive number. */
  public static Duration divided(Duration time, double by) {
    double nanos = time.getSeconds() * (double) NANOS / by + time.getNano() / by;
    return nanos >= MOST.toSeconds() * (double) NANOS
        ? MOST
        : Duration.ofSeconds((long) (nanos / NANOS), (long) (nanos % NANOS));
  }

  /** Returns the sum of two times that are at most {@link #MOST}. */
  public static Duration sum(Duration first, Duration second) {
    Duration sum = first.plus(second);
    return sum.compareTo(MOST) > 0 ? MOST : sum;
  }

  /** Returns the least time that, times {@code gpus}, is at least {@code gpuTime}. */
  public static Duration ceilingOf(Duration gpuTime, int gpus) {
    Duration share = gpuTime.dividedBy(gpus);
    return times(share, gpus).compareTo(gpuTime) < 0 ? share.plusNanos(1) : share;
  }

  /** Returns {@code start + time}; empty if that is after {@link #LATEST}, so that it never is. */
  public static Optional<Instant> after(Instant start, Duration time) {
    long secondsLeft = LATEST.getEpochSecond() - start.getEpochSecond();
    boolean isInTime =
        time.toSeconds() < secondsLeft || time.compareTo(Duration.between(start, LATEST)) <= 0;
    return isInTime ? Optional.of(start.plus(time)) : Optional.empty();
  }

  /** Returns {@code start + time}; {@link Instant#MAX} if that is after {@link #LATEST}. */
  public static Instant end(Instant start, Duration time) {
    return after(start, time).orElse(Instant.MAX);
  }

  /** Returns the time in nanoseconds, capped. */
  public static long nanos(Duration time) {
    return time.toSeconds() >= Long.MAX_VALUE / NANOS ? Long.MAX_VALUE : time.toNanos();
  }

  /** Returns the time in seconds, to the millisecond. */
  public static double seconds(Duration time) {
    return time.toSeconds() + time.toMillisPart() / 1000.0;
  }

  /** Returns the time in seconds, as precise as they can be. */
  public static double exactSeconds(Duration time) {
    return time.toSeconds() + time.toNanosPart() / 1e9;
  }

  /** Returns the nanoseconds from the epoch to {@code instant}, capped. */
  public static long nanos(Instant instant) {
    long seconds = instant.getEpochSecond();
    if (Math.abs(seconds) >= Long.MAX_VALUE / NANOS) {
      return seconds < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
    return seconds * NANOS + instant.getNano();
  }

  /** Returns the instant that is that many nanoseconds after the epoch. */
  public static Instant instant(long nanos) {
    return Instant.EPOCH.plusNanos(nanos);
  }

  /** Returns {@code first + second}, capped. */
  public static long cappedSum(long first, long second) {
    long sum = first + second;
    if (((first ^ sum) & (second ^ sum)) < 0) {
      return first < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
    return sum;
  }

  /** Returns a time after an instant; {@link Instant#MAX} if that is beyond it. */
  public static Instant later(Instant from, Duration time) {
    boolean ends = time.compareTo(Duration.between(from, Instant.MAX)) < 0;
    return ends ? from.plus(time) : Instant.MAX;
  }

  /**
   * Returns the time in a text.
   *
   * @throws IllegalArgumentException if it is negative, or more than any job can have had
   */
  public static Duration parsed(String text) {
    Duration time = parsedTime(text);
    if (time.compareTo(MOST) > 0) {
      throw new IllegalArgumentException("no job can have had more than " + MOST);
    }
    return time;
  }

  /**
   * Returns the time in a text.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public static Duration parsedTime(String text) {
    Duration time = Duration.parse(text);
    if (time.isNegative()) {
      throw new IllegalArgumentException("a time must not be negative");
    }
    return time;
  }
}
