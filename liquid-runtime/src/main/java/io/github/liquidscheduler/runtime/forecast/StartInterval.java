package io.github.liquidscheduler.runtime.forecast;

import java.time.Instant;
import java.util.Objects;

/**
 * An expected start time with a 90 % interval.
 *
 * @param earliest the 5th percentile
 * @param expected the median, as far as run times tell
 * @param latest the 95th percentile
 */
public record StartInterval(Instant earliest, Instant expected, Instant latest) {

  /**
   * Validates the order.
   *
   * @throws IllegalArgumentException if {@code latest} is before {@code earliest}
   */
  public StartInterval {
    Objects.requireNonNull(earliest, "earliest");
    Objects.requireNonNull(expected, "expected");
    Objects.requireNonNull(latest, "latest");
    if (latest.isBefore(earliest)) {
      throw new IllegalArgumentException(
          "an interval must not end before it begins, but %s is before %s"
              .formatted(latest, earliest));
    }
  }

  /** Returns true if a start is within the interval, ends included. */
  public boolean contains(Instant start) {
    return !start.isBefore(earliest) && !start.isAfter(latest);
  }

  /** Returns a phrase for people. */
  public String describe() {
    return "starts at about %s, 95 %% by %s".formatted(expected, latest);
  }
}
