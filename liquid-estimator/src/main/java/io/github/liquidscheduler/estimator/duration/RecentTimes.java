package io.github.liquidscheduler.estimator.duration;

import com.google.common.collect.EvictingQueue;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import java.util.Queue;

/** The last running times of jobs that are alike, in seconds, and their quantiles. */
final class RecentTimes {
  private static final int MOST = 256;
  private static final double LOW = 0.05;
  private static final double HIGH = 0.95;

  private final Queue<Double> seconds = EvictingQueue.create(MOST);

  void add(double time) {
    seconds.add(time);
  }

  /** The times that are longer than {@code elapsed}, in order. */
  double[] longerThan(double elapsed) {
    return seconds.stream()
        .mapToDouble(time -> time)
        .filter(time -> time > elapsed)
        .sorted()
        .toArray();
  }

  /** The median of sorted values, from their 5 % to their 95 % quantile. */
  static Prediction median(double[] sorted, Provenance provenance) {
    return new Prediction(
        quantile(sorted, 0.5), quantile(sorted, LOW), quantile(sorted, HIGH), provenance);
  }

  /**
   * The value below which {@code level} of the sorted values lie, between neighbours in proportion.
   */
  private static double quantile(double[] sorted, double level) {
    double place = level * (sorted.length - 1);
    int below = (int) place;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
  }
}
