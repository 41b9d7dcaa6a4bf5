package io.github.liquidscheduler.planner;

import io.github.liquidscheduler.planning.BatchPlanner;

class GreedyPlannerLaws extends GreedyOrBetterContract {
  @Override
  public BatchPlanner planner(PlanCost cost) {
    return BatchPlanners.greedy(cost);
  }
}
