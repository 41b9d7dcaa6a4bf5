package io.github.liquidscheduler.rounds.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.rounds.RoundTask;
import io.github.liquidscheduler.rounds.planner.GeneratedRounds;
import io.github.liquidscheduler.rounds.planner.GpuChoice;
import io.github.liquidscheduler.rounds.planner.RoundJob;
import io.github.liquidscheduler.rounds.planner.RoundPlan;
import io.github.liquidscheduler.rounds.planner.RoundPlanChecks;
import io.github.liquidscheduler.rounds.planner.RoundPlanner;
import io.github.liquidscheduler.rounds.planner.RoundProblem;
import io.github.liquidscheduler.rounds.planner.TaskOrder;
import io.github.liquidscheduler.rounds.scheduler.RoundPolicy;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A plan made beforehand is carried out while jobs run. */
class PlannedSequencesTest {

  @ParameterizedTest
  @EnumSource(GpuChoice.class)
  void jobsEndAsPlannedWhereTasksTakeAsLongAsPlanned(GpuChoice choice) {
    RoundProblem problem = GeneratedRounds.problem(7919, 30, 0);
    RoundPlan planned = new RoundPlanner(TaskOrder.byWork(), choice).plan(problem);

    RoundPlan run = new OnlineRounds(RoundPolicy.hlas(60, 400)).follow(problem, planned);

    RoundPlanChecks.assertFollowsTheRules(problem, run);
    for (int gpu = 0; gpu < problem.gpus().size(); gpu++) {
      assertThat(tasks(run.sequences().get(gpu))).isEqualTo(tasks(planned.sequences().get(gpu)));
    }
    for (RoundJob job : problem.jobs()) {
      assertThat(run.end(job)).isLessThanOrEqualTo(planned.end(job) + 1e-6);
    }
  }

  private static List<RoundTask> tasks(List<RoundPlan.Run> sequence) {
    return sequence.stream().map(run -> new RoundTask(run.job(), run.round(), run.task())).toList();
  }
}
