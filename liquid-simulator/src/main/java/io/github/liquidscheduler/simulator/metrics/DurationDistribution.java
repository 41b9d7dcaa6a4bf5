package io.github.liquidscheduler.simulator.metrics;

import io.github.liquidscheduler.text.Count;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;

/**
 * At least one duration, in ascending order, and what can be said about them. Exact to the
 * nanosecond: nothing is computed in floating point. A duration costs 8 bytes. Immutable.
 */
public final class DurationDistribution {

  private static final long SECOND = 1_000_000_000L;

  private final long[] ascending;
  private final Duration sum;

  /** Makes a distribution of nanoseconds, ascending; the array is not copied. */
  private DurationDistribution(long[] ascending) {
    this.ascending = ascending;
    this.sum = sumOf(ascending);
  }

  /**
   * Returns the distribution of {@code durations}.
   *
   * @throws IllegalArgumentException if there is none
   * @throws ArithmeticException if one is longer than 292 years
   */
  public static DurationDistribution of(Collection<Duration> durations) {
    return ofNanos(durations.stream().mapToLong(Duration::toNanos).toArray());
  }

  /** Returns the distribution of durations in nanoseconds, of which the array is given away. */
  static DurationDistribution ofNanos(long[] nanos) {
    if (nanos.length == 0) {
      throw new IllegalArgumentException("a distribution must have a value, but had none");
    }
    Arrays.sort(nanos);
    return new DurationDistribution(nanos);
  }

  /** Adds seconds and what is beside them apart: all nanoseconds may be too many for one number. */
  private static Duration sumOf(long[] nanos) {
    long seconds = 0;
    long rest = 0;
    for (long each : nanos) {
      seconds += each / SECOND;
      rest += each % SECOND;
    }
    return Duration.ofSeconds(seconds).plusNanos(rest);
  }

  /** Returns the number of durations, at least 1. */
  public int count() {
    return ascending.length;
  }

  /** Returns the sum. */
  public Duration sum() {
    return sum;
  }

  /** Returns the arithmetic mean. */
  public Duration average() {
    return sum.dividedBy(count());
  }

  /** Returns the 50th percentile. */
  public Duration median() {
    return percentile(50);
  }

  /**
   * Returns a percentile by linear interpolation between the two nearest order statistics, which is
   * what NumPy does by default.
   *
   * @param percent from 0, the shortest, to 100, the longest
   * @throws IllegalArgumentException if {@code percent} is not from 0 to 100
   */
  public Duration percentile(int percent) {
    if (percent < 0 || percent > 100) {
      throw new IllegalArgumentException("percent must be from 0 to 100, but was " + percent);
    }
    long hundredths = (long) percent * (count() - 1);
    int below = (int) (hundredths / 100);
    int above = Math.min(below + 1, count() - 1);
    Duration gap = Duration.ofNanos(ascending[above] - ascending[below]);
    return Duration.ofNanos(ascending[below])
        .plus(gap.multipliedBy(hundredths % 100).dividedBy(100));
  }

  @Override
  public String toString() {
    return "%s, average %s, median %s, p99 %s"
        .formatted(Count.of(count(), "duration"), average(), median(), percentile(99));
  }
}
