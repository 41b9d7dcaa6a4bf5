package io.github.liquidscheduler.training.statistics;

import java.util.Arrays;
import java.util.Collection;
import java.util.stream.DoubleStream;

/** Numbers that were measured. Immutable. */
public final class Sample {
  private final double[] values;

  private Sample(double[] values) {
    this.values = values;
  }

  /** Returns a sample of these numbers. */
  public static Sample of(DoubleStream values) {
    return new Sample(values.toArray());
  }

  /** Returns a sample of these numbers. */
  public static Sample of(Collection<Double> values) {
    return of(values.stream().mapToDouble(Double::doubleValue));
  }

  /** Returns the mean, or NaN if there is no number. */
  public double mean() {
    return Arrays.stream(values).average().orElse(Double.NaN);
  }

  /** Returns the mean square of the distance to the mean, or NaN if there is no number. */
  public double variance() {
    double mean = mean();
    return Arrays.stream(values)
        .map(value -> (value - mean) * (value - mean))
        .average()
        .orElse(Double.NaN);
  }

  /** Returns the median, or NaN if there is no number. */
  public double median() {
    double[] sorted = Arrays.stream(values).sorted().toArray();
    int half = sorted.length / 2;
    if (sorted.length % 2 == 1) {
      return sorted[half];
    }
    return sorted.length == 0 ? Double.NaN : (sorted[half - 1] + sorted[half]) / 2;
  }

  /**
   * Returns the conformal quantile, which counts the sample as one larger: what a further number
   * does not exceed with this probability. NaN if there is no number.
   */
  public double conformalQuantile(double probability) {
    double[] sorted = Arrays.stream(values).sorted().toArray();
    int rank = (int) Math.ceil(probability * (sorted.length + 1)) - 1;
    return sorted.length == 0 ? Double.NaN : sorted[Math.min(rank, sorted.length - 1)];
  }
}
