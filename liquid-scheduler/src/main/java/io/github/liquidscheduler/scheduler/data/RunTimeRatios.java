package io.github.liquidscheduler.scheduler.data;

import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * Ratios of actual to expected run times of the last 64 jobs; a wide prior until 16 are known.
 * Mutable.
 */
public final class RunTimeRatios {
  private static final int LAST = 64;
  private static final int FEWEST = 16;

  /** Deciles of a log-normal distribution of σ .5 around 1. */
  private static final double[] UNKNOWN = {.44, .60, .71, .82, .94, 1.06, 1.21, 1.40, 1.68, 2.28};

  private final Deque<Double> last = new ArrayDeque<>();
  private double[] sorted = UNKNOWN;

  RunTimeRatios() {}

  /** Returns an independent copy. */
  RunTimeRatios copy() {
    RunTimeRatios copy = new RunTimeRatios();
    copy.last.addAll(last);
    copy.sorted = sorted;
    return copy;
  }

  /** Records a ratio of actual to expected run time. */
  void observe(double ratio) {
    if (!(ratio > 0) || Double.isInfinite(ratio)) {
      return;
    }
    last.addLast(ratio);
    if (last.size() > LAST) {
      last.removeFirst();
    }
    sort();
  }

  private void sort() {
    if (last.size() >= FEWEST) {
      sorted = last.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    }
  }

  /**
   * Returns a run time relative to the expected one, given that it exceeds {@code lasted}.
   *
   * @param lasted the time run so far, relative to the expected one
   * @param quantile the quantile of the possible lengths, in (0, 1)
   */
  public double given(double lasted, double quantile) {
    int shorter = Arrays.binarySearch(sorted, lasted);
    int first = shorter < 0 ? -shorter - 1 : shorter + 1;
    int longer = sorted.length - first;
    return longer <= 0
        ? lasted * (1 + quantile)
        : sorted[first + (int) Math.floor(quantile * longer)];
  }

  /** Returns true if all known run times were as expected. */
  public boolean areCertain() {
    return sorted[sorted.length - 1] - sorted[0] < 1e-3;
  }

  void save(SnapshotSection.Builder section) {
    section.list("ratios", last, Double::valueOf);
  }

  void load(SnapshotSection.Reader in) {
    List<Double> saved = in.list("ratios", Double.class, each -> each);
    if (saved.size() > LAST || saved.stream().anyMatch(ratio -> !(ratio > 0))) {
      throw new IllegalArgumentException(
          "up to %d ratios of run times must be positive, but were %s".formatted(LAST, saved));
    }
    last.addAll(saved);
    sort();
  }
}
