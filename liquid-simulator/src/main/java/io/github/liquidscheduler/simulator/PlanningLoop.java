package io.github.liquidscheduler.simulator;

import io.github.liquidscheduler.planning.BatchPlanner;
import io.github.liquidscheduler.planning.PlanOptions;
import java.time.Duration;
import java.util.Objects;

/**
 * The planner of a scheduler in batch mode, its options, and its delay in virtual time. Of the
 * limits only one of moves makes a simulation repeatable.
 */
public record PlanningLoop(BatchPlanner planner, PlanOptions options, Duration delay) {

  /**
   * Validates the parts.
   *
   * @throws IllegalArgumentException if the delay is negative
   */
  public PlanningLoop {
    Objects.requireNonNull(planner, "planner");
    Objects.requireNonNull(options, "options");
    if (delay.isNegative()) {
      throw new IllegalArgumentException(
          "the delay of plans must not be negative, but was " + delay);
    }
  }
}
