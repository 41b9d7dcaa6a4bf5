package io.github.liquidscheduler.placement.batch;

class GroupingPlannerLaws extends BatchPlannerContract {
  @Override
  BatchPlanner planner() {
    return BatchPlanners.gga();
  }
}
