package io.github.liquidscheduler.placement.batch;

class TimefoldPlannerLaws extends GreedyOrBetterContract {
  @Override
  BatchPlanner planner() {
    return BatchPlanners.timefold();
  }
}
