package io.github.liquidscheduler.placement.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduling.BatchPlan;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What planners promise that start from the greedy plan. */
abstract class GreedyOrBetterContract extends BatchPlannerContract {

  @Property(tries = 100)
  void aPlanIsNeverWorseThanTheGreedyOne(@ForAll long seed) {
    PlanScenario scenario = new PlanScenario(seed);
    PlanRequest request = scenario.request(scenario.options().build());
    BatchPlan plan = planner().plan(request);
    BatchPlan greedy = BatchPlanners.greedy().plan(request);

    assertThat(worth(scenario, plan)).isGreaterThanOrEqualTo(worth(scenario, greedy));
    if (worth(scenario, plan) == worth(scenario, greedy)) {
      assertThat(plan.certificate().cost()).isLessThanOrEqualTo(greedy.certificate().cost() + 1e-9);
    }
  }

  private static long worth(PlanScenario scenario, BatchPlan plan) {
    List<Integer> priorities =
        scenario.pending.stream().map(JobSpec::priority).sorted().distinct().toList();
    return plan.starts().stream()
        .map(start -> job(scenario, start.job()))
        .mapToLong(job -> (1L + priorities.indexOf(job.priority())) * job.gpus())
        .sum();
  }
}
