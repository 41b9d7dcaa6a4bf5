package io.github.liquidscheduler.placement.batch;

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
}
