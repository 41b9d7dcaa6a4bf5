package io.github.liquidscheduler.estimator.similarity;

/**
 * A mean that follows what is observed: the plain mean at first, then one that forgets, so that old
 * software versions do not weigh for ever.
 */
final class ObservedMean {
  private static final double SLOWEST_RATE = 0.2;

  private double mean;
  private int count;

  ObservedMean() {}

  /** Creates one that has followed values before. */
  ObservedMean(double mean, int count) {
    this.mean = mean;
    this.count = count;
  }

  void add(double value) {
    count++;
    mean += Math.max(SLOWEST_RATE, 1.0 / count) * (value - mean);
  }

  double mean() {
    return mean;
  }

  int count() {
    return count;
  }
}
