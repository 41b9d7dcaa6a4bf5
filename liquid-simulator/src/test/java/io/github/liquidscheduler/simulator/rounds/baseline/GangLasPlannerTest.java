package io.github.liquidscheduler.simulator.rounds.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.rounds.planner.RoundJob;
import io.github.liquidscheduler.rounds.planner.RoundPlan;
import io.github.liquidscheduler.rounds.planner.RoundProblem;
import io.github.liquidscheduler.rounds.planner.TaskTime;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GangLasPlannerTest {

  private static final GpuModel GPU = GpuModel.of("GPU");

  private static RoundJob job(String id, double arrival, int rounds, int scale) {
    return new RoundJob(JobId.of(id), arrival, 1, rounds, scale, Map.of(GPU, new TaskTime(2, 0)));
  }

  private static List<String> order(int gpus, RoundJob... jobs) {
    RoundProblem problem = new RoundProblem(List.of(jobs), Collections.nCopies(gpus, GPU));
    return GangLasPlanner.of(3).plan(problem).sequences().getFirst().stream()
        .map(RoundPlan.Run::job)
        .map(JobId::toString)
        .toList();
  }

  @Test
  void aJobThatWasServedForLongWaitsForNewOnesBetweenItsRounds() {
    assertThat(order(1, job("old", 0, 4, 1), job("new", 3, 1, 1)))
        .containsExactly("old", "old", "new", "old", "old");
  }

  @Test
  void inAClassTheJobThatCameFirstGoesFirst() {
    assertThat(order(1, job("first", 0, 1, 1), job("second", 0, 1, 1)))
        .containsExactly("first", "second");
  }

  @Test
  void aGangIsServedOnAllItsGpusAtOnce() {
    assertThat(order(2, job("wide", 0, 2, 2), job("narrow", 1, 1, 1)))
        .containsExactly("wide", "narrow", "wide");
  }

  @Test
  void othersBypassAGangThatDoesNotFitUnlessTheyMayNot() {
    RoundProblem problem =
        new RoundProblem(
            List.of(job("one", 0, 1, 1), job("wide", 0.5, 1, 2), job("late", 1, 1, 1)),
            Collections.nCopies(2, GPU));

    assertThat(GangLasPlanner.of(9).plan(problem).ends()).containsEntry(JobId.of("late"), 3.0);
    assertThat(GangLasPlanner.withoutBypass(9).plan(problem).ends())
        .containsEntry(JobId.of("late"), 6.0);
  }
}
