package io.github.liquidscheduler.placement.batch;

class GreedyPlannerLaws extends BatchPlannerContract {
  @Override
  BatchPlanner planner() {
    return BatchPlanners.greedy();
  }
}
