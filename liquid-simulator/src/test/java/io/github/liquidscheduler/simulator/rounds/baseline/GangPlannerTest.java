package io.github.liquidscheduler.simulator.rounds.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.rounds.planner.FigureOne;
import io.github.liquidscheduler.rounds.planner.GeneratedRounds;
import io.github.liquidscheduler.rounds.planner.RoundPlan;
import io.github.liquidscheduler.rounds.planner.RoundPlanChecks;
import io.github.liquidscheduler.rounds.planner.RoundProblem;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GangPlannerTest {

  /** What an independent implementation of the rules comes to. */
  @ParameterizedTest
  @CsvSource({
    "7919, 30, 0, 752.014011, 2138.081748, 530.513574, 2349.942521",
    "15838, 40, 20, 531.898190, 2147.861991, 329.450290, 1731.320848",
    "23757, 60, 10, 1014.649481, 2665.057288, 545.746790, 2279.085381"
  })
  void generatedJobsAreGolden(
      long seed, int jobs, int gap, double fifo, double fifoEnd, double sjf, double sjfEnd) {
    RoundProblem problem = GeneratedRounds.problem(seed, jobs, gap);

    assertGolden(problem, GangPlanner.firstComeFirstServed().plan(problem), fifo, fifoEnd);
    assertGolden(problem, GangPlanner.shortestFirst().plan(problem), sjf, sjfEnd);
  }

  private static void assertGolden(
      RoundProblem problem, RoundPlan plan, double jct, double makespan) {
    RoundPlanChecks.assertFollowsTheRules(problem, plan);
    assertThat(plan.averageJct(problem)).isEqualTo(jct, within(1e-6));
    assertThat(plan.makespan()).isEqualTo(makespan, within(1e-6));
  }

  @Test
  void whoTakesGpusForEqualStartsOnTheFirstOnes() {
    RoundProblem problem =
        new RoundProblem(List.of(FigureOne.job("slow", 2, 2, 4, 2, 1)), FigureOne.GPUS);

    assertThat(GangPlanner.equalGpus().plan(problem).makespan()).isEqualTo(8);
    assertThat(GangPlanner.shortestFirst().plan(problem).makespan()).isEqualTo(4);
  }

  @Test
  void aGangThatCanNeverFitIsRefused() {
    RoundProblem problem =
        new RoundProblem(List.of(FigureOne.job("wide", 2, 4, 1, 1, 1)), FigureOne.GPUS);

    assertThatThrownBy(() -> GangPlanner.firstComeFirstServed().plan(problem))
        .hasMessage(
            "a gang must have at most as many tasks as the fleet has GPUs, 3, but job 'wide' has"
                + " 4");
  }
}
