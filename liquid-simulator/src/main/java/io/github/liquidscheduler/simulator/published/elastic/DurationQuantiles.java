package io.github.liquidscheduler.simulator.published.elastic;

import java.util.List;

/**
 * A distribution of durations by its quantiles, between which the logarithm of the duration is
 * linear.
 *
 * @param points at least two, ascending from probability 0 to 1
 */
public record DurationQuantiles(List<Point> points) {

  private static final int HOUR = 3600;

  /** Copies the points. */
  public DurationQuantiles {
    points = List.copyOf(points);
  }

  /**
   * A quantile.
   *
   * @param probability from 0 to 1
   * @param seconds the duration
   */
  public record Point(double probability, double seconds) {}

  /** Returns durations whose logarithm is uniform. */
  public static DurationQuantiles logUniform(double leastSeconds, double mostSeconds) {
    return new DurationQuantiles(List.of(new Point(0, leastSeconds), new Point(1, mostSeconds)));
  }

  /**
   * Returns the durations of Microsoft's Philly trace (Jeon et al., ATC 2019), longer ones cut to
   * some hours: the quantiles of its first 60 %, and no duration below 30 s.
   *
   * @param hours the longest duration, at least 7
   */
  public static DurationQuantiles philly(int hours) {
    return new DurationQuantiles(
        List.of(
            new Point(0, 30),
            new Point(0.1, 64),
            new Point(0.25, 299),
            new Point(0.5, 1521),
            new Point(0.75, 2968),
            new Point(0.9, 10_329),
            new Point(0.95, 24_064),
            new Point(1, (double) hours * HOUR)));
  }

  /** Returns the duration in seconds at a probability between 0 and 1. */
  double at(double probability) {
    int above = 1;
    while (above < points.size() - 1 && points.get(above).probability() < probability) {
      above++;
    }
    Point low = points.get(above - 1);
    Point high = points.get(above);
    double share = (probability - low.probability()) / (high.probability() - low.probability());
    double logLow = Math.log(low.seconds());
    return Math.exp(logLow + share * (Math.log(high.seconds()) - logLow));
  }
}
