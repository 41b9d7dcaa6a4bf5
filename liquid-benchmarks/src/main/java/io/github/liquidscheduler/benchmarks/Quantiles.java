package io.github.liquidscheduler.benchmarks;

import java.time.Duration;
import java.util.List;

/** Measured durations, to ask for quantiles. */
final class Quantiles {
  private final List<Duration> sorted;

  Quantiles(List<Duration> durations) {
    if (durations.isEmpty()) {
      throw new IllegalArgumentException("nothing was measured");
    }
    sorted = durations.stream().sorted().toList();
  }

  int count() {
    return sorted.size();
  }

  Duration median() {
    return at(0.5);
  }

  /** The smallest measured duration that at least this fraction of them does not exceed. */
  Duration at(double fraction) {
    int rank = (int) Math.ceil(fraction * sorted.size());
    return sorted.get(Math.max(rank, 1) - 1);
  }
}
