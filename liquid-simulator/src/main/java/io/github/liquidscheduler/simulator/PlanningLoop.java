package io.github.liquidscheduler.simulator;

import io.github.liquidscheduler.planning.BatchPlanner;
import io.github.liquidscheduler.planning.PlanOptions;
import java.time.Duration;
import java.util.Objects;

/**
 * Who answers a scheduler in batch mode, and after which virtual time.
 *
 * @param planner makes the plans, of what is so when they are asked for
 * @param options how; only a limit of steps makes a simulation repeatable
 * @param delay how long a plan takes to come
 */
public record PlanningLoop(BatchPlanner planner, PlanOptions options, Duration delay) {

  /**
   * Checks the parts.
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
