package io.github.liquidscheduler.estimator.workload;

/**
 * The error of predictions for one pair of classes on one GPU model: the mean at first, then one
 * that forgets, so that it follows changes of software.
 *
 * @param mean the mean error
 * @param count how many errors were seen
 */
public record Residual(double mean, int count) {
  private static final double SLOWEST_RATE = 0.2;

  /** Of a pair that was never observed. */
  public static final Residual NONE = new Residual(0, 0);

  /** Returns the residual after one more error. */
  public Residual plus(double error) {
    int more = count + 1;
    return new Residual(mean + Math.max(SLOWEST_RATE, 1.0 / more) * (error - mean), more);
  }
}
