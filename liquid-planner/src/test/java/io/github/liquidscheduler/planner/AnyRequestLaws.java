package io.github.liquidscheduler.planner;

import io.github.liquidscheduler.planning.BatchPlanner;
import io.github.liquidscheduler.testkit.BatchPlannerContract;
import net.jqwik.api.Group;

/** Our planners keep the contract on whatever the test kit asks. */
@SuppressWarnings("ClassCanBeStatic") // Groups have to be inner classes.
class AnyRequestLaws {

  @Group
  class Greedy extends BatchPlannerContract {
    @Override
    protected BatchPlanner planner() {
      return BatchPlanners.greedy();
    }
  }

  @Group
  class Timefold extends BatchPlannerContract {
    @Override
    protected BatchPlanner planner() {
      return BatchPlanners.timefold();
    }
  }
}
