package io.github.liquidscheduler.estimator.resource;

import com.google.common.collect.EvictingQueue;
import java.util.Queue;

/** The distances between truths and estimates of late, on the scale that is learned on. */
final class RecentErrors {
  /** Of one more error than this, nine tenths are at most the greatest of these. */
  private static final int ENOUGH = 9;

  private static final int MOST = 64;
  private static final double LEVEL = 0.9;

  private final Queue<Double> errors = EvictingQueue.create(MOST);

  void record(double error) {
    errors.add(error);
  }

  boolean areEnough() {
    return errors.size() >= ENOUGH;
  }

  /** Returns the distance that nine tenths of the errors stay within, the next one included. */
  double bound() {
    double[] sorted = errors.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int rank = (int) Math.ceil(LEVEL * (sorted.length + 1));
    return sorted.length == 0 ? 0 : sorted[Math.min(sorted.length, rank) - 1];
  }
}
