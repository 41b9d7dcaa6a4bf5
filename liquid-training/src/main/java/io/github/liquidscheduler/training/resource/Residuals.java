package io.github.liquidscheduler.training.resource;

import io.github.liquidscheduler.estimator.resource.Calibration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Truth less prediction on data held out, and what follows for intervals. A group of examples
 * counts as much as any other, however many examples it has, because what is to be covered is a new
 * group: residuals within one are much alike (split conformal prediction over groups).
 *
 * <p>Intervals take the plain quantiles. What is asked for takes the conservative one, which counts
 * an imagined further group with a residual larger than all: with fewer than 19 groups that is the
 * largest residual seen.
 */
final class Residuals {
  private static final double LOW = 0.05;
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

  Calibration calibration() {
    long count = groups.stream().distinct().count();
    double conservative = HIGH * (count + 1) / count;
    return new Calibration(
        Math.min(0, quantile(LOW)) - ROUNDING,
        Math.max(0, quantile(HIGH)) + ROUNDING,
        Math.max(0, quantile(Math.min(1, conservative))) + ROUNDING,
        meanError());
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
