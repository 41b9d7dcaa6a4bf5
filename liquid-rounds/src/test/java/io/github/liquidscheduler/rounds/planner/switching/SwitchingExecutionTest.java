package io.github.liquidscheduler.rounds.planner.switching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.rounds.planner.GpuChoice;
import io.github.liquidscheduler.rounds.planner.RoundJob;
import io.github.liquidscheduler.rounds.planner.RoundPlan;
import io.github.liquidscheduler.rounds.planner.RoundPlanChecks;
import io.github.liquidscheduler.rounds.planner.RoundPlanner;
import io.github.liquidscheduler.rounds.planner.RoundProblem;
import io.github.liquidscheduler.rounds.planner.SmallRounds;
import io.github.liquidscheduler.rounds.planner.TaskOrder;
import io.github.liquidscheduler.rounds.planner.TaskTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class SwitchingExecutionTest {

  private static final GpuModel GPU = GpuModel.of("V100");

  private static RoundJob job(String id, int rounds) {
    return new RoundJob(JobId.of(id), 0, 1, rounds, 1, Map.of(GPU, new TaskTime(1, 0)));
  }

  /** One GPU on which jobs take turns: a, b, a, b, one task each. */
  private static final RoundProblem TURNS =
      new RoundProblem(List.of(job("a", 2), job("b", 2)), List.of(GPU));

  private static RoundPlan turns() {
    List<RoundPlan.Run> runs = new ArrayList<>();
    for (int turn = 0; turn < 4; turn++) {
      RoundJob job = TURNS.jobs().get(turn % 2);
      runs.add(RoundPlan.Run.of(job, turn / 2, 0, turn, new TaskTime(1, 0)));
    }
    return new RoundPlan(List.of(runs), Map.of(JobId.of("a"), 3.0, JobId.of("b"), 4.0));
  }

  private static SwitchingExecution executed(SwitchingTechnique technique, double gpuGib) {
    List<TrainedModel> models =
        List.of(
            new TrainedModel(JobId.of("a"), PublishedModel.VGG19, 6),
            new TrainedModel(JobId.of("b"), PublishedModel.BERT_BASE, 9));
    return SwitchingExecution.of(
        TURNS, turns(), new Switching(technique, models, Map.of(GPU, gpuGib)));
  }

  @Example
  void withoutMemoryEverySwitchLoadsTheModel() {
    SwitchingExecution execution = executed(SwitchingTechnique.PIPESWITCH, 80);

    assertThat(execution.switches()).isEqualTo(4);
    assertThat(execution.seconds()).isEqualTo(2 * (0.00401 + 0.01257), within(1e-12));
    assertThat(execution.plan().makespan()).isEqualTo(4 + execution.seconds(), within(1e-12));
  }

  @Example
  void aRestartedProcessTakesSeconds() {
    assertThat(executed(SwitchingTechnique.DEFAULT, 80).seconds())
        .isEqualTo(2 * (3.28894 + 9.01699), within(1e-12));
  }

  @Example
  void modelsThatComeAgainStayWhereTheyFit() {
    SwitchingExecution execution = executed(SwitchingTechnique.HARE, 15);

    assertThat(execution.hits()).isEqualTo(2);
    assertThat(execution.seconds()).isEqualTo(0.00401 + 0.01257 + 0.00277 + 0.00503, within(1e-12));
  }

  @Example
  void modelsThatDoNotFitTogetherAreLoadedAgain() {
    SwitchingExecution execution = executed(SwitchingTechnique.HARE, 14.9);

    assertThat(execution.hits()).isZero();
    assertThat(execution.seconds()).isEqualTo(2 * (0.00401 + 0.01257), within(1e-12));
  }

  @Example
  void ofModelsThatDoNotFitThoseGoFirstThatDoNotComeAgain() {
    ResidentModels memory = new ResidentModels(10);
    TrainedModel old = new TrainedModel(JobId.of("old"), PublishedModel.VGG19, 4);
    TrainedModel done = new TrainedModel(JobId.of("done"), PublishedModel.VGG19, 4);
    TrainedModel next = new TrainedModel(JobId.of("next"), PublishedModel.VGG19, 4);
    memory.switchTo(old, job -> true);
    memory.switchTo(done, job -> true);

    assertThat(memory.switchTo(next, job -> job.equals(old.job()))).isFalse();
    assertThat(memory.switchTo(old, job -> true)).isTrue();
  }

  @Example
  void ofModelsThatComeAgainTheLeastRecentlyFinishedGoesFirst() {
    ResidentModels memory = new ResidentModels(10);
    TrainedModel old = new TrainedModel(JobId.of("old"), PublishedModel.VGG19, 4);
    TrainedModel recent = new TrainedModel(JobId.of("recent"), PublishedModel.VGG19, 4);
    TrainedModel next = new TrainedModel(JobId.of("next"), PublishedModel.VGG19, 4);
    memory.switchTo(old, job -> true);
    memory.switchTo(recent, job -> true);
    memory.switchTo(next, job -> true);

    assertThat(memory.switchTo(recent, job -> true)).isTrue();
    assertThat(memory.switchTo(old, job -> true)).isFalse();
  }

  @Example
  void aJobWithoutAModelIsRefused() {
    Switching none = new Switching(SwitchingTechnique.HARE, List.of(), Map.of());

    assertThatThrownBy(() -> SwitchingExecution.of(TURNS, turns(), none))
        .hasMessage("a job must have a model to switch to, but job 'a' has none");
  }

  @Property(tries = 300)
  void anExecutionFollowsTheRulesInTheOrderOfThePlan(
      @ForAll long seed, @ForAll SwitchingTechnique technique) {
    RoundProblem problem = SmallRounds.problem(seed);
    RoundPlan plan = new RoundPlanner(TaskOrder.byFluid(), GpuChoice.FIRST_GAP).plan(problem);
    List<TrainedModel> models =
        problem.jobs().stream()
            .map(job -> new TrainedModel(job.id(), PublishedModel.RESNET50, 5))
            .toList();

    SwitchingExecution execution =
        SwitchingExecution.of(
            problem, plan, new Switching(technique, models, Map.of(GpuModel.of("GPU1"), 11.0)));

    RoundPlanChecks.assertFollowsTheRules(problem, execution.plan());
    assertThat(tasks(execution.plan())).isEqualTo(tasks(plan));
    assertThat(execution.plan().weightedEnd(problem))
        .isGreaterThanOrEqualTo(plan.weightedEnd(problem) - 1e-9);
  }

  private static List<List<String>> tasks(RoundPlan plan) {
    return plan.sequences().stream()
        .map(
            sequence ->
                sequence.stream()
                    .map(run -> run.job() + " " + run.round() + " " + run.task())
                    .toList())
        .toList();
  }
}
