package io.github.liquidscheduler.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.planner.plan.PlanAssembly;
import io.github.liquidscheduler.planner.plan.PlanEvaluation;
import io.github.liquidscheduler.planner.plan.PlanningInput;
import io.github.liquidscheduler.planner.problem.AdmissionWeight;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.PlanRequest;
import java.util.List;
import java.util.Set;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What planners promise that start from the greedy plan. */
public abstract class GreedyOrBetterContract extends ChargedPlannerContract {

  @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
  public void aPlanIsNeverWorseThanTheGreedyOne(@ForAll("requests") PlanRequest request) {
    PlanCost charged = PlanScenario.cost(request);
    BatchPlan plan = planner(charged).plan(request);
    BatchPlan greedy = BatchPlanners.greedy(charged).plan(request);

    requireNoWorse(request, plan, greedy.postponed(), greedy.certificate().cost());
  }

  @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
  public void aPlanIsNeverWorseThanImmediateMode(@ForAll("requests") PlanRequest request) {
    PlanCost charged = PlanScenario.cost(request);
    BatchPlan plan = planner(charged).plan(request);
    PlanningInput input = new PlanningInput(request, charged.terms());
    PlanAssembly immediate = PlanAssembly.of(input, input.immediateAssignments());
    double cost = new PlanEvaluation(input, immediate.assignments()).total();

    requireNoWorse(request, plan, immediate.postponed(), cost);
  }

  private static void requireNoWorse(
      PlanRequest request, BatchPlan plan, List<JobId> postponed, double cost) {
    AdmissionWeight weight = new AdmissionWeight(request.pending(), Set.of());
    assertThat(weight.of(plan.postponed())).isLessThanOrEqualTo(weight.of(postponed));
    if (weight.of(plan.postponed()) == weight.of(postponed)) {
      assertThat(plan.certificate().cost()).isLessThanOrEqualTo(cost + 1e-9);
    }
  }
}
