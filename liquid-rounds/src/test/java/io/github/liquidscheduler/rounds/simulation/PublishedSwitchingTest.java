package io.github.liquidscheduler.rounds.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.rounds.planner.GeneratedRounds;
import io.github.liquidscheduler.rounds.planner.RoundPlan;
import io.github.liquidscheduler.rounds.planner.RoundPlanChecks;
import io.github.liquidscheduler.rounds.planner.RoundProblem;
import io.github.liquidscheduler.rounds.planner.switching.PublishedModel;
import io.github.liquidscheduler.rounds.planner.switching.Switching;
import io.github.liquidscheduler.rounds.planner.switching.SwitchingTechnique;
import io.github.liquidscheduler.rounds.planner.switching.TrainedModel;
import io.github.liquidscheduler.rounds.scheduler.RoundPolicy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PublishedSwitchingTest {

  private static final RoundProblem PROBLEM = GeneratedRounds.problem(7919, 12, 5);

  private static PublishedSwitching switching(SwitchingTechnique technique, double gpuGib) {
    List<TrainedModel> models =
        PROBLEM.jobs().stream()
            .map(job -> new TrainedModel(job.id(), PublishedModel.RESNET50, 4))
            .toList();
    Map<GpuModel, Double> memory = new LinkedHashMap<>();
    PROBLEM.gpus().forEach(gpu -> memory.put(gpu, gpuGib));
    return new PublishedSwitching(new Switching(technique, models, memory));
  }

  private static RoundPlan run(SwitchingTime time) {
    return new OnlineRounds(RoundPolicy.hlas(60, 400), true, time).plan(PROBLEM);
  }

  @ParameterizedTest
  @EnumSource(SwitchingTechnique.class)
  void whatSwitchingTakesIsIdleTimeAndNothingElseBreaks(SwitchingTechnique technique) {
    PublishedSwitching time = switching(technique, 16);

    RoundPlan plan = run(time);

    RoundPlanChecks.assertFollowsTheRules(PROBLEM, plan);
    assertThat(time.gpus().switches()).isEqualTo(changesOfJob(plan));
    assertThat(idleSeconds(plan)).isGreaterThanOrEqualTo(time.gpus().seconds() - 1e-6);
  }

  @Test
  void everySwitchByDefaultTakesWhatIsPublished() {
    PublishedSwitching time = switching(SwitchingTechnique.DEFAULT, 16);

    run(time);

    assertThat(time.gpus().seconds()).isEqualTo(5.96116 * time.gpus().switches(), within(1e-6));
  }

  @Test
  void modelsStayInMemoryWhileTheirJobMayComeAgainAndThereIsRoom() {
    PublishedSwitching roomy = switching(SwitchingTechnique.HARE, 1000);
    PublishedSwitching tight = switching(SwitchingTechnique.HARE, 4);

    run(roomy);
    run(tight);

    assertThat(roomy.gpus().hits()).isPositive();
    assertThat(tight.gpus().hits()).isZero();
    assertThat(roomy.gpus().seconds())
        .isEqualTo(
            0.00204 * roomy.gpus().hits()
                + 0.00475 * (roomy.gpus().switches() - roomy.gpus().hits()),
            within(1e-9));
  }

  @Test
  void eachRunBeginsWithNothingInMemory() {
    PublishedSwitching time = switching(SwitchingTechnique.HARE, 1000);
    run(time);
    double first = time.gpus().seconds();

    run(time);

    assertThat(time.gpus().seconds()).isEqualTo(first);
  }

  @Test
  void beforeTheFirstRunThereIsNothingToTell() {
    assertThatThrownBy(switching(SwitchingTechnique.HARE, 16)::gpus)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("nothing has run yet");
  }

  private static int changesOfJob(RoundPlan plan) {
    int changes = 0;
    for (List<RoundPlan.Run> sequence : plan.sequences()) {
      for (int at = 0; at < sequence.size(); at++) {
        boolean isSame = at > 0 && sequence.get(at).job().equals(sequence.get(at - 1).job());
        changes += isSame ? 0 : 1;
      }
    }
    return changes;
  }

  private static double idleSeconds(RoundPlan plan) {
    double idle = 0;
    for (List<RoundPlan.Run> sequence : plan.sequences()) {
      double free = 0;
      for (RoundPlan.Run run : sequence) {
        idle += run.start() - free;
        free = run.end();
      }
    }
    return idle;
  }
}
