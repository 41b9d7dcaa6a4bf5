package io.github.liquidscheduler.planner;

import io.github.liquidscheduler.planner.cost.CostTerms;
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

  private final CostTerms terms;
  private final TimefoldSearch search;

  TimefoldPlanner(CostTerms terms) {
    this(terms, TimefoldSearch.standard());
  }

  TimefoldPlanner(CostTerms terms, TimefoldSearch search) {
    this.terms = terms;
    this.search = search;
  }

  @Override
  public BatchPlan plan(PlanRequest request) {
    PlanningInput input = new PlanningInput(request, terms);
    Occupancy greedy = input.greedy();
    GangAssignment[] start = input.start(greedy).assignments;
    TimefoldSearch.Improved found = search.improve(input.problem(), start, request.options());
    return PlanFinisher.against(input, greedy.assignments)
        .plan(found.assignments(), found.movesEvaluated());
  }
}
