package io.github.liquidscheduler.rounds.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.rounds.planner.GeneratedRounds;
import io.github.liquidscheduler.rounds.planner.RoundPlan;
import io.github.liquidscheduler.rounds.planner.RoundPlanChecks;
import io.github.liquidscheduler.rounds.planner.RoundProblem;
import io.github.liquidscheduler.rounds.scheduler.RoundPolicy;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OnlineRoundsTest {

  /** What an independent implementation of the rules comes to. */
  @ParameterizedTest
  @CsvSource({
    "7919, 30, 0, 566.477187, 594.387396, 456.329758",
    "15838, 40, 20, 333.269609, 365.372208, 298.432939",
    "23757, 60, 10, 602.122603, 640.140592, 453.699825"
  })
  void generatedJobsAreGolden(
      long seed, int jobs, int gap, double hlas, double las, double shortest) {
    RoundProblem problem = GeneratedRounds.problem(seed, jobs, gap);

    assertThat(averageJct(RoundPolicy.hlas(60, 400), problem)).isEqualTo(hlas, within(1e-6));
    assertThat(averageJct(RoundPolicy.leastAttainedService(), problem))
        .isEqualTo(las, within(1e-6));
    assertThat(averageJct(RoundPolicy.shortestRemaining(), problem))
        .isEqualTo(shortest, within(1e-6));
  }

  private static double averageJct(RoundPolicy policy, RoundProblem problem) {
    RoundPlan plan = new OnlineRounds(policy).plan(problem);
    return plan.averageJct(problem);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everyTaskRunsOnceBehindItsBarrierForAsLongAsItTakes(boolean areTimesKnown) {
    RoundProblem problem = GeneratedRounds.problem(31676, 30, 10);
    for (RoundPolicy policy :
        List.of(
            RoundPolicy.hlas(60, 400),
            RoundPolicy.scaleFreeHlas(),
            RoundPolicy.leastAttainedService(),
            RoundPolicy.shortestRemaining())) {
      RoundPlan plan = new OnlineRounds(policy, areTimesKnown, SwitchingTime.NONE).plan(problem);

      RoundPlanChecks.assertFollowsTheRules(problem, plan);
    }
  }

  @Test
  void aGpuTakesItsTimeFromOneTaskToTheNext() {
    RoundProblem problem = GeneratedRounds.problem(7919, 10, 0);
    SwitchingTime switching =
        (before, next) ->
            before.isPresent() && before.get().task().job().equals(next.task().job()) ? 1 : 4;
    RoundPlan plan = new OnlineRounds(RoundPolicy.hlas(60, 400), true, switching).plan(problem);

    RoundPlanChecks.assertFollowsTheRules(problem, plan);
    for (List<RoundPlan.Run> sequence : plan.sequences()) {
      assertThat(sequence.getFirst().start()).isGreaterThanOrEqualTo(4);
      for (int at = 1; at < sequence.size(); at++) {
        double idle = sequence.get(at).start() - sequence.get(at - 1).end();
        boolean isSameJob = sequence.get(at).job().equals(sequence.get(at - 1).job());
        assertThat(idle).isGreaterThanOrEqualTo(isSameJob ? 1 - 1e-9 : 4 - 1e-9);
      }
    }
  }
}
