package io.github.liquidscheduler.simulator.rounds.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.rounds.planner.RoundAlgorithm;
import io.github.liquidscheduler.rounds.planner.RoundJob;
import io.github.liquidscheduler.rounds.planner.RoundPlan;
import io.github.liquidscheduler.rounds.planner.RoundPlanChecks;
import io.github.liquidscheduler.rounds.planner.RoundProblem;
import io.github.liquidscheduler.rounds.planner.SmallRounds;
import io.github.liquidscheduler.rounds.planner.bound.RoundBounds;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class BaselineLaws {

  @Provide
  Arbitrary<RoundAlgorithm> baselines() {
    return Arbitraries.of(
        List.of(
            GangPlanner.firstComeFirstServed(),
            GangPlanner.shortestFirst(),
            GangPlanner.equalGpus(),
            GangLasPlanner.of(1, 4),
            GangLasPlanner.withoutBypass(1, 4),
            new AlloxPlanner()));
  }

  @Property(tries = 400)
  void plansFollowTheRules(@ForAll("baselines") RoundAlgorithm baseline, @ForAll long seed) {
    RoundProblem problem = SmallRounds.problem(seed);
    Assume.that(
        problem.jobs().stream().mapToInt(RoundJob::scale).max().orElse(0) <= problem.gpus().size());

    RoundPlan plan = baseline.plan(problem);

    RoundPlanChecks.assertFollowsTheRules(problem, plan);
    assertThat(plan.weightedEnd(problem))
        .isGreaterThanOrEqualTo(RoundBounds.of(problem).weightedEnd() - 1e-9);
  }
}
