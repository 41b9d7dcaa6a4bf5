package io.github.liquidscheduler.placement.batch;

import io.github.liquidscheduler.scheduling.BatchPlan;

/** Plans by local search from the greedy plan. */
final class TimefoldPlanner implements BatchPlanner {

  private final TimefoldSearch search;

  TimefoldPlanner() {
    this(TimefoldSearch.plain());
  }

  TimefoldPlanner(TimefoldSearch search) {
    this.search = search;
  }

  @Override
  public BatchPlan plan(PlanRequest request) {
    Draft draft = new Draft(request);
    Occupancy greedy = draft.greedy();
    Place[] start = draft.start(greedy).places;
    TimefoldSearch.Improved found = search.improve(draft.problem(), start, request.options());
    return Planning.against(draft, greedy.places).plan(found.places(), found.looks());
  }
}
