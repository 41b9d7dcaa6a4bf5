package io.github.liquidscheduler.simulator.rounds.comparison;

import java.util.Arrays;
import org.hipparchus.distribution.continuous.TDistribution;

/**
 * A mean and how far the true one may be from it, with 95 % confidence (Student's t).
 *
 * @param mean the mean of what was seen
 * @param halfWidth how far the true mean may be from it; infinite if only one value was seen
 */
public record MeanInterval(double mean, double halfWidth) {

  private static final double UPPER_TAIL = 0.975;

  /** Returns that of at least one value. */
  static MeanInterval of(double... values) {
    double mean = Arrays.stream(values).average().orElseThrow();
    int freedom = values.length - 1;
    if (freedom == 0) {
      return new MeanInterval(mean, Double.POSITIVE_INFINITY);
    }
    double squares = Arrays.stream(values).map(value -> (value - mean) * (value - mean)).sum();
    double error = Math.sqrt(squares / freedom / values.length);
    double quantile = new TDistribution(freedom).inverseCumulativeProbability(UPPER_TAIL);
    return new MeanInterval(mean, quantile * error);
  }
}
