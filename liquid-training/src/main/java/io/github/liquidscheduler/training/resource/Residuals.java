package io.github.liquidscheduler.training.resource;

import io.github.liquidscheduler.estimator.task.regression.Calibration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Truth less prediction on data held out, and what follows for intervals. A group of examples
 * counts as much as any other, however many examples it has, because what is to be covered is a new
 * group: residuals within one are much alike (split conformal prediction over groups). The new
 * group counts too, with residuals beyond all others at either end: with fewer than 19 groups an
 * interval reaches from the least residual to the greatest.
 */
final class Residuals {
  private static final double HIGH = 0.95;

  /** What single precision may lose, so that even what never varies lies in its interval. */
  private static final double ROUNDING = 1e-5;

  private final double[] values;
  private final List<String> groups;

  Residuals(double[] values, List<String> groups) {
    this.values = values;
    this.groups = groups;
  }

  /** The mean distance, each group counting the same. */
  double meanError() {
    double[] weights = weights();
    double sum = 0;
    for (int i = 0; i < values.length; i++) {
      sum += weights[i] * Math.abs(values[i]);
    }
    return sum;
  }

  /** Returns whether the mean error is less by more than two standard errors over groups. */
  boolean areClearlyLessThan(Residuals others) {
    double[] gains = gains(others);
    double mean = Arrays.stream(gains).average().orElse(0);
    double squares = Arrays.stream(gains).map(gain -> (gain - mean) * (gain - mean)).sum();
    double variance = squares / Math.max(1, gains.length - 1);
    return mean > 2 * Math.sqrt(variance / gains.length);
  }

  /** By how much the mean error of each group is less than that of {@code others}. */
  private double[] gains(Residuals others) {
    Map<String, List<Double>> gains = new LinkedHashMap<>();
    for (int i = 0; i < values.length; i++) {
      gains
          .computeIfAbsent(groups.get(i), key -> new ArrayList<>())
          .add(Math.abs(others.values[i]) - Math.abs(values[i]));
    }
    return gains.values().stream()
        .mapToDouble(group -> group.stream().mapToDouble(Double::doubleValue).sum() / group.size())
        .toArray();
  }

  Calibration calibration() {
    long count = groups.stream().distinct().count();
    double level = Math.min(1, HIGH * (count + 1) / count);
    double high = Math.max(0, quantile(level)) + ROUNDING;
    return new Calibration(Math.min(0, quantile(1 - level)) - ROUNDING, high, high, meanError());
  }

  private double quantile(double level) {
    double[] weights = weights();
    List<Integer> order =
        IntStream.range(0, values.length)
            .boxed()
            .sorted(Comparator.comparing(i -> values[i]))
            .toList();
    double sum = 0;
    for (int i : order) {
      sum += weights[i];
      if (sum >= level - 1e-9) {
        return values[i];
      }
    }
    return values[order.getLast()];
  }

  private double[] weights() {
    Map<String, Integer> sizes = new LinkedHashMap<>();
    groups.forEach(group -> sizes.merge(group, 1, Integer::sum));
    return groups.stream()
        .mapToDouble(group -> 1.0 / (sizes.size() * sizes.getOrDefault(group, 1)))
        .toArray();
  }
}
