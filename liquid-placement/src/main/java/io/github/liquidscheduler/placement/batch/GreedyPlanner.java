package io.github.liquidscheduler.placement.batch;

import io.github.liquidscheduler.scheduling.BatchPlan;

/** Plans one job after the other. */
final class GreedyPlanner implements BatchPlanner {

  @Override
  public BatchPlan plan(PlanRequest request) {
    Draft draft = new Draft(request);
    Place[] places = draft.greedy().places;
    return Planning.against(draft, places).plan(places, 0);
  }
}
