package io.github.liquidscheduler.lab.published.elastic;

import io.github.liquidscheduler.formats.input.Quoted;
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

  /**
   * Returns the distribution called {@code name}: {@code philly-8h}, {@code philly-24h}, {@code
   * philly-72h} or {@code log-uniform}, which is from 10 minutes to 2 hours.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static DurationQuantiles named(String name) {
    return switch (name) {
      case "philly-8h" -> philly(8);
      case "philly-24h" -> philly(24);
      case "philly-72h" -> philly(72);
      case "log-uniform" -> logUniform(600, 7200);
      default ->
          throw new IllegalArgumentException(
              "durations must be philly-8h, philly-24h, philly-72h or log-uniform, but were "
                  + Quoted.of(name));
    };
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
