package io.github.liquidscheduler.scheduling;

import java.time.Duration;
import java.util.Objects;

/**
 * The times that an event took, measured outside the scheduler, which has no clock.
 *
 * @param queued from when it was reported until its turn began, not negative
 * @param deciding how long the scheduler decided about it, not negative
 * @param recording from then on until it was in the journal and its decisions could be handed out,
 *     not negative
 */
public record TurnTimes(Duration queued, Duration deciding, Duration recording) {

  /**
   * Checks the parts.
   *
   * @throws IllegalArgumentException if one is negative
   */
  public TurnTimes {
    requireNotNegative(queued, "queued");
    requireNotNegative(deciding, "deciding");
    requireNotNegative(recording, "recording");
  }

  /** Returns the time from the report to the decisions. */
  public Duration total() {
    return queued.plus(deciding).plus(recording);
  }

  private static void requireNotNegative(Duration part, String name) {
    Objects.requireNonNull(part, name);
    if (part.isNegative()) {
      throw new IllegalArgumentException(
          "the time of a turn must not be negative, but was %s, for '%s'".formatted(part, name));
    }
  }
}
