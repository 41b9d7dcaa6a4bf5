package io.github.liquidscheduler.estimator.duration;

import java.util.Arrays;

/** The last running times of jobs that are alike, in seconds, and their quantiles. */
final class RecentTimes {
  private static final int MOST = 256;

  private final double[] seconds = new double[MOST];
  private int seen;

  void add(double time) {
    seconds[seen % MOST] = time;
    seen++;
  }

  int count() {
    return Math.min(seen, MOST);
  }

  /** The times that are longer than {@code elapsed}, in order. */
  double[] longerThan(double elapsed) {
    return Arrays.stream(seconds, 0, count()).filter(time -> time > elapsed).sorted().toArray();
  }

  /**
   * The value below which {@code level} of the sorted values lie, between neighbours in proportion.
   */
  static double quantile(double[] sorted, double level) {
    double place = level * (sorted.length - 1);
    int below = (int) place;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
  }
}
