package io.github.liquidscheduler.estimator.similarity;

/**
 * A mean that follows what is observed: the plain mean at first, then one that forgets, so that old
 * software versions do not weigh for ever.
 *
 * @param order how many pairs were observed before this one
 * @param mean the mean
 * @param count how many values were observed
 */
record ObservedMean(int order, double mean, int count) {
  private static final double SLOWEST_RATE = 0.2;

  /** Returns the mean after one more value. */
  ObservedMean plus(double value) {
    int more = count + 1;
    double rate = Math.max(SLOWEST_RATE, 1.0 / more);
    return new ObservedMean(order, mean + rate * (value - mean), more);
  }
}
