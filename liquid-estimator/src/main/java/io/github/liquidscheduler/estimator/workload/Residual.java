package io.github.liquidscheduler.estimator.workload;

import java.util.List;

/**
 * What predictions for one pair of classes on one GPU model were off by: the mean at first, then
 * one that forgets, so that it follows changes of software. The more was seen, the more of it
 * counts.
 *
 * @param mean the mean error
 * @param count how many errors were seen
 */
public record Residual(double mean, int count) {
  private static final double SLOWEST_RATE = 0.2;
  private static final double MEASUREMENT_ERROR = 0.05;

  /** Of a pair that was never observed. */
  static final Residual NONE = new Residual(0, 0);

  /** Returns the mean and the count. */
  List<Double> toNumbers() {
    return List.of(mean, (double) count);
  }

  /** Returns what it is after one more error. */
  Residual plus(double error) {
    int more = count + 1;
    return new Residual(mean + Math.max(SLOWEST_RATE, 1.0 / more) * (error - mean), more);
  }

  /** Returns what to add to a prediction whose 90 % error is {@code predictionError}. */
  public double correction(double predictionError) {
    return mean * weight(predictionError);
  }

  /** Returns the 90 % error that is left after the correction. */
  public double errorLeft(double predictionError) {
    return Math.max(MEASUREMENT_ERROR, predictionError * Math.sqrt(1 - weight(predictionError)));
  }

  private double weight(double predictionError) {
    double variance = predictionError * predictionError;
    return variance / (variance + MEASUREMENT_ERROR * MEASUREMENT_ERROR / count);
  }
}
