package io.github.liquidscheduler.lab.calibration;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * How far predictions are from measurements, as parts of what was measured.
 *
 * @param count how many predictions
 * @param median the median of the absolute relative errors
 * @param mean their mean
 * @param percentile90 what nine in ten do not exceed
 */
public record PredictionError(int count, double median, double mean, double percentile90) {

  /**
   * Returns the error of predictions.
   *
   * @param logarithms the logarithm of predicted over measured, for each
   * @throws IllegalArgumentException if there is none
   */
  static PredictionError of(List<Double> logarithms) {
    if (logarithms.isEmpty()) {
      throw new IllegalArgumentException("an error needs at least one prediction");
    }
    double[] errors =
        logarithms.stream().mapToDouble(one -> Math.abs(Math.expm1(one))).sorted().toArray();
    double mean = Arrays.stream(errors).average().orElseThrow();
    return new PredictionError(errors.length, quantile(errors, 0.5), mean, quantile(errors, 0.9));
  }

  private static double quantile(double[] sorted, double part) {
    double position = part * (sorted.length - 1);
    int below = (int) position;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
  }

  /** Returns median, mean and 90th percentile in percent, such as {@code 3.8 / 4.5 / 8.9 %}. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "%.1f / %.1f / %.1f %%", 100 * median, 100 * mean, 100 * percentile90);
  }
}
