package io.github.liquidscheduler.planner;

import io.github.liquidscheduler.planning.BatchPlanner;

class TimefoldPlannerLaws extends GreedyOrBetterContract {
  @Override
  public BatchPlanner planner(PlanCost cost) {
    return BatchPlanners.timefold(cost);
  }
}
