package io.github.liquidscheduler.rounds.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;

class RollingPlannerLaws {

  private static RollingPlanner rolling(GpuChoice choice) {
    return new RollingPlanner(new RoundPlanner(TaskOrder.byFluid(), choice));
  }

  @Property(tries = 300)
  void whatHasStartedStaysAndTheRestFollowsTheRules(
      @ForAll long seed, @ForAll GpuChoice choice, @ForAll @DoubleRange(max = 20) double now) {
    RoundProblem problem = SmallRounds.problem(seed);
    RoundPlan before = new RoundPlanner(TaskOrder.byWork(), choice).plan(problem);
    StartedTasks started = StartedTasks.of(before, now);

    RoundPlan after = rolling(choice).replan(problem, started);

    RoundPlanChecks.assertFollowsTheRules(problem, after);
    assertThat(StartedTasks.of(after, now)).isEqualTo(started);
  }

  @Property(tries = 300)
  void aRollingPlanFollowsTheRules(@ForAll long seed, @ForAll GpuChoice choice) {
    RoundProblem problem = SmallRounds.problem(seed);

    RoundPlanChecks.assertFollowsTheRules(problem, rolling(choice).plan(problem));
  }

  @Property(tries = 300)
  void nothingBeforeAnArrivalDependsOnIt(@ForAll long seed) {
    RoundProblem problem = SmallRounds.problem(seed);
    RoundJob late = problem.jobs().getLast();
    List<RoundJob> others = new ArrayList<>(problem.jobs());
    others.removeLast();
    RollingPlanner rolling = rolling(GpuChoice.FIRST_GAP);

    RoundPlan with = rolling.plan(problem);
    RoundPlan without = rolling.plan(new RoundProblem(others, problem.gpus()));

    assertThat(StartedTasks.of(with, late.arrival()))
        .isEqualTo(StartedTasks.of(without, late.arrival()));
  }

  @Example
  void aTaskThatRunsLongerThanPlannedDelaysTheRest() {
    RoundProblem problem = FigureOne.problem(1, 1);
    RoundPlan planned = rolling(GpuChoice.FIRST_GAP).plan(problem);
    RoundPlan.Run first = planned.sequences().get(2).getFirst();
    RoundPlan.Run slow =
        new RoundPlan.Run(first.job(), first.round(), first.task(), first.start(), 9, 9);
    StartedTasks started = new StartedTasks(0.1, List.of(List.of(), List.of(), List.of(slow)));

    RoundPlan plan = rolling(GpuChoice.FIRST_GAP).replan(problem, started);

    assertThat(plan.sequences().get(2)).hasSize(1);
    assertThat(plan.ends().get(first.job())).isGreaterThanOrEqualTo(9);
  }

  @Example
  void whatStartsLaterHasNotStarted() {
    RoundPlan plan = rolling(GpuChoice.FIRST_GAP).plan(FigureOne.problem(1, 1));

    assertThatThrownBy(() -> new StartedTasks(0, plan.sequences()))
        .hasMessageContaining("a started task must have started before 0.0 s");
  }
}
