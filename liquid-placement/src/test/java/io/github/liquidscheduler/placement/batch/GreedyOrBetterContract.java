package io.github.liquidscheduler.placement.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.BatchPlan;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What planners promise that start from the greedy plan. */
abstract class GreedyOrBetterContract extends BatchPlannerContract {

  @Property(tries = 100)
  void aPlanIsNeverWorseThanTheGreedyOne(@ForAll long seed) {
    PlanRequest request = request(seed);
    BatchPlan plan = planner().plan(request);
    BatchPlan greedy = BatchPlanners.greedy().plan(request);

    requireNoWorse(request, plan, greedy.postponed(), greedy.certificate().cost());
  }

  @Property(tries = 100)
  void aPlanIsNeverWorseThanImmediateMode(@ForAll long seed) {
    PlanRequest request = request(seed);
    BatchPlan plan = planner().plan(request);
    Draft draft = new Draft(request);
    PlanAssembly immediate = PlanAssembly.of(draft, draft.immediatePlaces());
    double cost = new PlanPrice(draft, immediate.places()).total();

    requireNoWorse(request, plan, immediate.postponed(), cost);
  }

  private static PlanRequest request(long seed) {
    PlanScenario scenario = new PlanScenario(seed);
    return scenario.request(scenario.options().build());
  }

  private static void requireNoWorse(
      PlanRequest request, BatchPlan plan, List<JobId> postponed, double cost) {
    Worth worth = Worth.of(request.pending());
    assertThat(worth.of(plan.postponed())).isLessThanOrEqualTo(worth.of(postponed));
    if (worth.of(plan.postponed()) == worth.of(postponed)) {
      assertThat(plan.certificate().cost()).isLessThanOrEqualTo(cost + 1e-9);
    }
  }
}
