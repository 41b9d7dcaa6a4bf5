package io.github.liquidscheduler.scheduler.policy;

import java.time.Duration;
import java.util.Objects;

/**
 * What a policy remembers of a job from one review to the next.
 *
 * @param level the priority level of policies that keep several, 0 being served first
 * @param forgiven the part of the attained GPU time that counts no more
 */
public record PolicyState(int level, Duration forgiven) {

  /** The standing of a job that was just submitted. */
  public static final PolicyState INITIAL = new PolicyState(0, Duration.ZERO);

  /**
   * Checks the standing.
   *
   * @throws IllegalArgumentException if the level or the forgiven time is negative
   */
  public PolicyState {
    Objects.requireNonNull(forgiven, "forgiven");
    if (level < 0 || forgiven.isNegative()) {
      throw new IllegalArgumentException(
          "a standing's level and forgiven time must not be negative, but were "
              + level
              + " and "
              + forgiven);
    }
  }
}
