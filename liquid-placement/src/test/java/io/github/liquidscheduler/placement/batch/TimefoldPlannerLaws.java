package io.github.liquidscheduler.placement.batch;

class TimefoldPlannerLaws extends BatchPlannerContract {
  @Override
  BatchPlanner planner() {
    return BatchPlanners.timefold();
  }
}
