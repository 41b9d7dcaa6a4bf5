package io.github.liquidscheduler.simulator.metrics;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

/**
 * At least one duration, in ascending order, and what can be said about them. Exact to the
 * nanosecond: nothing is computed in floating point. Immutable.
 */
public final class DurationDistribution {

  private final List<Duration> ascending;
  private final Duration sum;

  private DurationDistribution(List<Duration> ascending) {
    this.ascending = ascending;
    this.sum = ascending.stream().reduce(Duration.ZERO, Duration::plus);
  }

  /**
   * Returns the distribution of {@code durations}.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static DurationDistribution of(Collection<Duration> durations) {
    if (durations.isEmpty()) {
      throw new IllegalArgumentException("a distribution must have a value, but had none");
    }
    return new DurationDistribution(durations.stream().sorted().toList());
  }

  /** Returns the number of durations, at least 1. */
  public int count() {
    return ascending.size();
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
    Duration gap = ascending.get(above).minus(ascending.get(below));
    return ascending.get(below).plus(gap.multipliedBy(hundredths % 100).dividedBy(100));
  }

  @Override
  public String toString() {
    return "%d durations, average %s, median %s, p99 %s"
        .formatted(count(), average(), median(), percentile(99));
  }
}
