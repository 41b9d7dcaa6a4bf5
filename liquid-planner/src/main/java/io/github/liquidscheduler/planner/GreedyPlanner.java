package io.github.liquidscheduler.planner;

import io.github.liquidscheduler.planner.cost.CostTerms;
import io.github.liquidscheduler.planner.plan.PlanFinisher;
import io.github.liquidscheduler.planner.plan.PlanningInput;
import io.github.liquidscheduler.planner.problem.GangAssignment;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.BatchPlanner;
import io.github.liquidscheduler.planning.PlanRequest;

/** Plans one job after the other. */
final class GreedyPlanner implements BatchPlanner {

  private final CostTerms terms;

  GreedyPlanner(CostTerms terms) {
    this.terms = terms;
  }

  @Override
  public BatchPlan plan(PlanRequest request) {
    PlanningInput input = new PlanningInput(request, terms);
    GangAssignment[] assignments = input.greedy().assignments;
    return PlanFinisher.against(input, assignments).plan(assignments, 0);
  }
}
