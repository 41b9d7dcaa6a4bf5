package io.github.liquidscheduler.lab.baseline.grouping;

import io.github.liquidscheduler.planner.BatchPlanners;
import io.github.liquidscheduler.planner.PlanCost;
import io.github.liquidscheduler.planning.BatchPlanner;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Planners by name: those of the library, and Liquid's genetic algorithm to compare with. */
public final class BaselinePlanners {

  private static final String GGA = "gga";

  private BaselinePlanners() {}

  /** Returns the names that {@link #named} knows. */
  public static List<String> names() {
    return Stream.concat(BatchPlanners.names().stream(), Stream.of(GGA)).toList();
  }

  /**
   * Returns the planner of this name: one of {@link BatchPlanners}, or {@code gga}, Liquid's
   * grouping genetic algorithm under Liquid's own cost. Plans are charged by the physical network
   * model.
   *
   * @throws IllegalArgumentException if {@link #names()} has no such name
   */
  public static BatchPlanner named(String name) {
    return named(name, PlanCost.physical());
  }

  /**
   * Returns the planner of this name whose plans are charged by {@code cost}.
   *
   * @throws IllegalArgumentException if {@link #names()} has no such name
   */
  public static BatchPlanner named(String name, PlanCost cost) {
    Objects.requireNonNull(cost, "cost");
    if (!names().contains(name)) {
      throw new IllegalArgumentException(
          "a planner must be one of %s, but was '%s'".formatted(String.join(", ", names()), name));
    }
    return name.equals(GGA) ? new GroupingPlanner(cost) : BatchPlanners.named(name, cost);
  }
}
