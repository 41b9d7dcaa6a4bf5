package io.github.liquidscheduler.benchmarks;

import java.time.Duration;
import java.util.List;

/** Measured durations, to ask for quantiles. */
public final class Quantiles {
  private final List<Duration> sorted;

  /**
   * Sorts durations, of which there is at least one.
   *
   * @throws IllegalArgumentException if there is none
   */
  public Quantiles(List<Duration> durations) {
    if (durations.isEmpty()) {
      throw new IllegalArgumentException("nothing was measured");
    }
    sorted = durations.stream().sorted().toList();
  }

  /** Returns how many there are. */
  public int count() {
    return sorted.size();
  }

  /** Returns the median. */
  public Duration median() {
    return at(0.5);
  }

  /** Returns the smallest measured duration that at least this fraction of them does not exceed. */
  public Duration at(double fraction) {
    int rank = (int) Math.ceil(fraction * sorted.size());
    return sorted.get(Math.max(rank, 1) - 1);
  }
}
