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
    this(terms, TimefoldSearch.plain());
  }

  TimefoldPlanner(CostTerms terms, TimefoldSearch search) {
    this.terms = terms;
    this.search = search;
  }

  @Override
  public BatchPlan plan(PlanRequest request) {
    PlanningInput draft = new PlanningInput(request, terms);
    Occupancy greedy = draft.greedy();
    GangAssignment[] start = draft.start(greedy).places;
    TimefoldSearch.Improved found = search.improve(draft.problem(), start, request.options());
    return PlanFinisher.against(draft, greedy.places).plan(found.places(), found.looks());
  }
}
