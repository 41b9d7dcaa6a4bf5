package io.github.liquidscheduler.planner;

import io.github.liquidscheduler.planner.cost.PlanCost;
import io.github.liquidscheduler.planner.plan.PlanFinisher;
import io.github.liquidscheduler.planner.plan.PlanningInput;
import io.github.liquidscheduler.planner.problem.GangAssignment;
import io.github.liquidscheduler.planner.problem.Occupancy;
import io.github.liquidscheduler.planner.search.TimefoldSearch;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.BatchPlanner;
import io.github.liquidscheduler.planning.PlanRequest;

/** Plans by local search from the greedy plan. */
final class TimefoldPlanner implements BatchPlanner {

  private final PlanCost cost;
  private final TimefoldSearch search;

  TimefoldPlanner(PlanCost cost) {
    this(cost, TimefoldSearch.plain());
  }

  TimefoldPlanner(PlanCost cost, TimefoldSearch search) {
    this.cost = cost;
    this.search = search;
  }

  @Override
  public BatchPlan plan(PlanRequest request) {
    PlanningInput draft = new PlanningInput(request, cost);
    Occupancy greedy = draft.greedy();
    GangAssignment[] start = draft.start(greedy).places;
    TimefoldSearch.Improved found = search.improve(draft.problem(), start, request.options());
    return PlanFinisher.against(draft, greedy.places).plan(found.places(), found.looks());
  }
}
