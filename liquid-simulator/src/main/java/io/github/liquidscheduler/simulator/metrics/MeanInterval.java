package io.github.liquidscheduler.simulator.metrics;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.hipparchus.distribution.continuous.TDistribution;

/**
 * A mean and how far the true one may be from it, with 95 % confidence (Student's t).
 *
 * @param mean the mean of what was seen
 * @param halfWidth how far the true mean may be from it; infinite if only one value was seen
 */
public record MeanInterval(double mean, double halfWidth) {

  private static final double UPPER_TAIL = 0.975;

  /**
   * Returns that of at least one value.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static MeanInterval of(double... values) {
    return new MeanInterval(meanOf(values), halfWidth(values));
  }

  /**
   * Returns the relative difference of means: the ratio of the mean of {@code values} to that of
   * {@code others}, less one. Values and interval are paired: what makes both larger in a pair
   * widens it little.
   *
   * @throws IllegalArgumentException if the numbers of both differ or are zero, or the others are
   *     zero on average
   */
  public static MeanInterval relative(double[] values, double[] others) {
    if (values.length != others.length) {
      throw new IllegalArgumentException(
          "paired values must be as many as the others, but were %d and %d"
              .formatted(values.length, others.length));
    }
    double base = meanOf(others);
    if (base == 0) {
      throw new IllegalArgumentException("a ratio needs others that are not zero on average");
    }
    double ratio = meanOf(values) / base;
    double[] left =
        IntStream.range(0, values.length).mapToDouble(i -> values[i] - ratio * others[i]).toArray();
    return new MeanInterval(ratio - 1, halfWidth(left) / Math.abs(base));
  }

  /** Returns true if the true mean may be on either side of zero. */
  public boolean containsZero() {
    return Math.abs(mean) <= halfWidth;
  }

  private static double meanOf(double... values) {
    return Arrays.stream(values)
        .average()
        .orElseThrow(() -> new IllegalArgumentException("a mean needs a value"));
  }

  private static double halfWidth(double... values) {
    int freedom = values.length - 1;
    if (freedom == 0) {
      return Double.POSITIVE_INFINITY;
    }
    double mean = meanOf(values);
    double squares = Arrays.stream(values).map(value -> (value - mean) * (value - mean)).sum();
    double error = Math.sqrt(squares / freedom / values.length);
    return new TDistribution(freedom).inverseCumulativeProbability(UPPER_TAIL) * error;
  }
}
