package io.github.liquidscheduler.lab.baseline.grouping;

import io.github.liquidscheduler.planner.ChargedPlannerContract;
import io.github.liquidscheduler.planner.PlanCost;
import io.github.liquidscheduler.planning.BatchPlanner;

class GroupingPlannerLaws extends ChargedPlannerContract {
  @Override
  public BatchPlanner planner(PlanCost cost) {
    return new GroupingPlanner(cost);
  }
}
