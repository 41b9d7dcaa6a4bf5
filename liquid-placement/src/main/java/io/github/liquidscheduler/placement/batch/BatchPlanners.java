package io.github.liquidscheduler.placement.batch;

import java.util.List;

/** The planners that come with the library. */
public final class BatchPlanners {

  private BatchPlanners() {}

  /**
   * Returns the planner {@code greedy}: one job after the other where it costs least, in the order
   * of the policy or the largest first, whichever comes out better. Its plans are where the search
   * of the others starts.
   */
  public static BatchPlanner greedy() {
    return new GreedyPlanner();
  }

  /**
   * Returns the planner {@code timefold}: local search over whole gangs, started from the greedy
   * plan and never worse than it.
   */
  public static BatchPlanner timefold() {
    return new TimefoldPlanner();
  }

  /**
   * Returns the planner {@code gga}: Liquid's grouping genetic algorithm under Liquid's own cost,
   * to compare with. It knows no limit of time.
   */
  public static BatchPlanner gga() {
    return new GroupingPlanner();
  }

  /** Returns the names that {@link #named} knows. */
  public static List<String> names() {
    return List.of("timefold", "gga", "greedy");
  }

  /**
   * Returns the planner of this name.
   *
   * @throws IllegalArgumentException if {@link #names()} has no such name
   */
  public static BatchPlanner named(String name) {
    return switch (name) {
      case "timefold" -> timefold();
      case "gga" -> gga();
      case "greedy" -> greedy();
      default ->
          throw new IllegalArgumentException(
              "a planner must be one of %s, but was '%s'"
                  .formatted(String.join(", ", names()), name));
    };
  }
}
