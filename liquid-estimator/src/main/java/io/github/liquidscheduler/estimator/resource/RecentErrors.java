package io.github.liquidscheduler.estimator.resource;

import java.util.Arrays;

/** The distances between truths and estimates of late, on the scale that is learned on. */
final class RecentErrors {
  /** Of one more error than this, nine tenths are at most the greatest of these. */
  private static final int ENOUGH = 9;

  private static final int MOST = 64;
  private static final double LEVEL = 0.9;

  private final double[] errors = new double[MOST];
  private int seen;

  void record(double error) {
    errors[seen % MOST] = error;
    seen++;
  }

  boolean areEnough() {
    return seen >= ENOUGH;
  }

  /** Returns the distance that nine tenths of the errors stay within, the next one included. */
  double bound() {
    int count = Math.min(seen, MOST);
    double[] sorted = Arrays.copyOf(errors, count);
    Arrays.sort(sorted);
    int rank = (int) Math.ceil(LEVEL * (count + 1));
    return count == 0 ? 0 : sorted[Math.min(count, rank) - 1];
  }
}
