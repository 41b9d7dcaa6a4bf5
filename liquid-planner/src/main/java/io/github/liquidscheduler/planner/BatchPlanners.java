package io.github.liquidscheduler.planner;

import io.github.liquidscheduler.planner.cost.CostTerms;
import io.github.liquidscheduler.planner.plan.PlanFinisher;
import io.github.liquidscheduler.planner.plan.PlanningInput;
import io.github.liquidscheduler.planner.problem.GangAssignment;
import io.github.liquidscheduler.planner.problem.Occupancy;
import io.github.liquidscheduler.planner.search.TimefoldSearch;
import io.github.liquidscheduler.planning.BatchPlanner;
import java.util.List;

/** The planners that come with the library. */
public final class BatchPlanners {

  private BatchPlanners() {}

  /**
   * Returns the planner {@code greedy}: one job after the other where it costs least, in the order
   * of the policy or the largest first, whichever comes out better. Its plans are where the search
   * of the others starts. Plans are charged by the physical network model.
   */
  public static BatchPlanner greedy() {
    return greedy(PlanCost.physical());
  }

  /** Returns the planner {@code greedy} whose plans are charged by {@code cost}. */
  public static BatchPlanner greedy(PlanCost cost) {
    CostTerms terms = cost.terms();
    return request -> {
      PlanningInput input = new PlanningInput(request, terms);
      GangAssignment[] assignments = input.greedy().assignments;
      return new PlanFinisher(input, assignments).plan(assignments, 0);
    };
  }

  /**
   * Returns the planner {@code timefold}: local search over whole gangs, started from the greedy
   * plan and never worse than it. Plans are charged by the physical network model.
   */
  public static BatchPlanner timefold() {
    return timefold(PlanCost.physical());
  }

  /** Returns the planner {@code timefold} whose plans are charged by {@code cost}. */
  public static BatchPlanner timefold(PlanCost cost) {
    return timefold(cost, TimefoldSearch.standard());
  }

  static BatchPlanner timefold(PlanCost cost, TimefoldSearch search) {
    CostTerms terms = cost.terms();
    return request -> {
      PlanningInput input = new PlanningInput(request, terms);
      Occupancy greedy = input.greedy();
      GangAssignment[] start = input.start(greedy).assignments;
      TimefoldSearch.Improved found = search.improve(input.problem(), start, request.options());
      return new PlanFinisher(input, greedy.assignments)
          .plan(found.assignments(), found.movesEvaluated());
    };
  }

  /** Returns the names that {@link #named} knows. */
  public static List<String> names() {
    return List.of("timefold", "greedy");
  }

  /**
   * Returns the planner of this name whose plans are charged by {@code cost}.
   *
   * @throws IllegalArgumentException if {@link #names()} has no such name
   */
  public static BatchPlanner named(String name, PlanCost cost) {
    return switch (name) {
      case "timefold" -> timefold(cost);
      case "greedy" -> greedy(cost);
      default ->
          throw new IllegalArgumentException(
              "a planner must be one of %s, but was '%s'"
                  .formatted(String.join(", ", names()), name));
    };
  }
}
