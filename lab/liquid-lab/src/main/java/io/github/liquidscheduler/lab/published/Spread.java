package io.github.liquidscheduler.lab.published;

import java.util.Collection;

/**
 * A figure over several seeds.
 *
 * @param mean the mean
 * @param deviation the standard deviation of the sample; 0 for one seed
 */
public record Spread(double mean, double deviation) {

  /** Returns the spread of one value a seed, of which there is at least one. */
  public static Spread of(Collection<Double> values) {
    double mean = values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    double squares = values.stream().mapToDouble(value -> (value - mean) * (value - mean)).sum();
    return new Spread(mean, values.size() < 2 ? 0 : Math.sqrt(squares / (values.size() - 1)));
  }
}
