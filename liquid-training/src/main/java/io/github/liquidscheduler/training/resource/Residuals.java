package io.github.liquidscheduler.training.resource;

import com.google.common.collect.ImmutableMultiset;
import com.google.common.collect.ListMultimap;
import com.google.common.collect.MultimapBuilder;
import com.google.common.collect.Multiset;
import io.github.liquidscheduler.estimator.task.regression.Calibration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.ojalgo.random.TDistribution;

/**
 * Truth less prediction on data held out, and what follows for intervals. A group of examples
 * counts as much as any other, however many examples it has, because what is to be covered is a new
 * group: residuals within one are much alike.
 *
 * <p>From {@value #MANY} groups on, the interval lies between quantiles (split conformal prediction
 * over groups). Fewer have no such quantiles: the new group may be the worst one. There the
 * residuals on either side of zero are taken for those of a normal distribution with a deviation of
 * its own, estimated from the groups and therefore spread like Student's t with as many degrees of
 * freedom; one more group counts that erred as much on either side as all do together.
 */
final class Residuals {
  private static final double HIGH = 0.95;
  private static final int MANY = 19;

  /** What single precision may lose, so that even what never varies lies in its interval. */
  private static final double ROUNDING = 1e-5;

  private final double[] values;
  private final List<String> groups;

  /** A function of a place and a number. */
  @FunctionalInterface
  interface IntToDouble {
    double of(int index, double value);
  }

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

  /** Returns true if the mean error is less by more than two standard errors over groups. */
  boolean areClearlyLessThan(Residuals others) {
    double[] gains = gains(others);
    double mean = Arrays.stream(gains).average().orElse(0);
    double squares = Arrays.stream(gains).map(gain -> (gain - mean) * (gain - mean)).sum();
    double variance = squares / Math.max(1, gains.length - 1);
    return mean > 2 * Math.sqrt(variance / gains.length);
  }

  /** By how much the mean error of each group is less than that of {@code others}. */
  private double[] gains(Residuals others) {
    ListMultimap<String, Double> gains = MultimapBuilder.linkedHashKeys().arrayListValues().build();
    for (int i = 0; i < values.length; i++) {
      gains.put(groups.get(i), Math.abs(others.values[i]) - Math.abs(values[i]));
    }
    return gains.asMap().values().stream()
        .mapToDouble(group -> group.stream().mapToDouble(Double::doubleValue).sum() / group.size())
        .toArray();
  }

  /** Returns the residuals after {@code change}, given their places. */
  Residuals map(IntToDouble change) {
    double[] changed = new double[values.length];
    Arrays.setAll(changed, i -> change.of(i, values[i]));
    return new Residuals(changed, groups);
  }

  /** Returns the interval as a calibration that states a mean error. */
  Calibration calibration(double error) {
    int count = (int) groups.stream().distinct().count();
    double level = Math.min(1, HIGH * (count + 1) / count);
    double high = Math.max(0, count < MANY ? spread(count, 1) : quantile(level)) + ROUNDING;
    double low = Math.min(0, count < MANY ? -spread(count, -1) : quantile(1 - level)) - ROUNDING;
    return new Calibration(low, high, high, error);
  }

  private double spread(int count, int side) {
    double here = meanSquare(side);
    double both = here + meanSquare(-side);
    double variance = (2 * count * here + both) / (count + 1);
    return TDistribution.of(count).getQuantile(HIGH) * Math.sqrt(variance);
  }

  /** The mean square of the residuals on one side, the others as zero. */
  private double meanSquare(int side) {
    double[] weights = weights();
    double sum = 0;
    for (int i = 0; i < values.length; i++) {
      double residual = Math.max(0, side * values[i]);
      sum += weights[i] * residual * residual;
    }
    return sum;
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
    Multiset<String> sizes = ImmutableMultiset.copyOf(groups);
    int count = sizes.elementSet().size();
    return groups.stream().mapToDouble(group -> 1.0 / (count * sizes.count(group))).toArray();
  }
}
