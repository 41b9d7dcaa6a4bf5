package io.github.liquidscheduler.simulator.baseline.grouping;

import io.github.liquidscheduler.planner.BatchPlannerContract;
import io.github.liquidscheduler.planner.PlanCost;
import io.github.liquidscheduler.planning.BatchPlanner;

class GroupingPlannerLaws extends BatchPlannerContract {
  @Override
  public BatchPlanner planner(PlanCost cost) {
    return new GroupingPlanner(cost);
  }
}
