package io.github.liquidscheduler.placement.batch;

class GreedyPlannerLaws extends GreedyOrBetterContract {
  @Override
  BatchPlanner planner() {
    return BatchPlanners.greedy();
  }
}
