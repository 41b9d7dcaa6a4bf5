package io.github.liquidscheduler.scheduler.policy;

import java.time.Duration;
import java.util.Objects;

/**
 * A policy's state of one job between reviews.
 *
 * @param level the level of multi-level policies, 0 being served first
 * @param forgiven the part of the attained GPU time that no longer counts
 */
public record PolicyState(int level, Duration forgiven) {

  /** The state of a newly submitted job. */
  public static final PolicyState INITIAL = new PolicyState(0, Duration.ZERO);

  /**
   * Validates the state.
   *
   * @throws IllegalArgumentException if the level or the forgiven time is negative
   */
  public PolicyState {
    Objects.requireNonNull(forgiven, "forgiven");
    if (level < 0 || forgiven.isNegative()) {
      throw new IllegalArgumentException(
          "the level and the forgiven time of a policy state must not be negative, but were "
              + level
              + " and "
              + forgiven);
    }
  }
}
