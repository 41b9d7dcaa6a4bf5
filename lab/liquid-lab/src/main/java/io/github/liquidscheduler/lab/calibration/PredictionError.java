package io.github.liquidscheduler.lab.calibration;

import com.google.common.math.Quantiles;
import com.google.common.math.Stats;
import java.util.List;
import java.util.Locale;
import java.util.Map;

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
    double[] errors = logarithms.stream().mapToDouble(one -> Math.abs(Math.expm1(one))).toArray();
    Map<Integer, Double> quantiles = Quantiles.percentiles().indexes(50, 90).compute(errors);
    return new PredictionError(
        errors.length,
        quantiles.getOrDefault(50, Double.NaN),
        Stats.meanOf(errors),
        quantiles.getOrDefault(90, Double.NaN));
  }

  /** Returns median, mean and 90th percentile in percent, such as {@code 3.8 / 4.5 / 8.9 %}. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "%.1f / %.1f / %.1f %%", 100 * median, 100 * mean, 100 * percentile90);
  }
}
