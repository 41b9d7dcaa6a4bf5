package io.github.liquidscheduler.scheduler.forecast;

import java.time.Instant;
import java.util.Objects;

/**
 * When a job is expected to start, and between which times it starts in nine of ten cases.
 *
 * @param earliest one job in twenty starts before
 * @param expected half of the jobs start before, as far as run times say
 * @param latest one job in twenty starts after
 */
public record StartInterval(Instant earliest, Instant expected, Instant latest) {

  /**
   * Checks the order.
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

  /** Returns whether a start falls into the interval, ends included. */
  public boolean contains(Instant start) {
    return !start.isBefore(earliest) && !start.isAfter(latest);
  }

  /** Returns it as a phrase for people. */
  public String describe() {
    return "starts at about %s, 95 %% by %s".formatted(expected, latest);
  }
}
