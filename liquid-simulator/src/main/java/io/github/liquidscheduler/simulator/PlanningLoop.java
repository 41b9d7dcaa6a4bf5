package io.github.liquidscheduler.simulator;

import io.github.liquidscheduler.planning.BatchPlanner;
import io.github.liquidscheduler.planning.PlanOptions;
import java.time.Duration;
import java.util.Objects;

/**
 * The planner of a scheduler in batch mode, and its delay in virtual time.
 *
 * @param planner makes plans from the state at their request
 * @param options the options of planning; only a limit of moves makes a simulation repeatable
 * @param delay the time until a plan arrives
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
