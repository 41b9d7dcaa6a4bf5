package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.KnownLoads;
import io.github.liquidscheduler.placement.colocation.PredictedSlowdownRule;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.prediction.ColocationQuery;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.testkit.ClusterStep;
import io.github.liquidscheduler.testkit.JobDraft;
import io.github.liquidscheduler.testkit.Ledger;
import io.github.liquidscheduler.testkit.Playback;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/** With plans that are late, repeated, wrong or right, every decision obeys every rule. */
class PlanLaws {

  private static final GpuModel V100 = GpuModel.of("V100");
  private static final KnownLoads PREDICTOR = new KnownLoads(0.1);
  private static final Colocation COLOCATION =
      Colocation.builder(PredictedSlowdownRule.of(PREDICTOR)).profiles(KnownLoads::profile).build();

  @Provide
  Arbitrary<EventSequence> sequences() {
    return EventSequence.sequences(JobDraft.ofEveryKind(), EventSequence.POLICIES)
        .map(PlanLaws::withMorePlans);
  }

  private static EventSequence withMorePlans(EventSequence sequence) {
    return new EventSequence(
        sequence.cluster(),
        sequence.policy(),
        sequence.rules(),
        sequence.window(),
        sequence.steps().stream().map(PlanLaws::orPlan).toList());
  }

  private static ClusterStep orPlan(ClusterStep step) {
    return step.pick() % 5 == 0
        ? new ClusterStep(ClusterStep.Kind.PLAN, step.pick() / 5, step.seconds(), step.job())
        : step;
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void whatRunsIsWholeAllowedAndNeverTooMuch(@ForAll("sequences") EventSequence sequence) {
    judge(sequence, sequence.options(), ledger -> {});
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void whoSharesIsPromisedAndKeepsItsFloor(@ForAll("sequences") EventSequence sequence) {
    judge(sequence, sequence.options().colocation(COLOCATION), PlanLaws::requireSharingAsPromised);
  }

  private static void judge(
      EventSequence sequence, LiquidScheduler.Builder options, Consumer<Ledger> books) {
    LiquidScheduler scheduler = options.build();
    PlanStorm plans = new PlanStorm(scheduler, COLOCATION);
    Playback playback = new Playback(scheduler, plans);
    Ledger ledger = new Ledger(sequence.cluster());
    Deadlines deadlines = new Deadlines(sequence.window(), new HashMap<>());
    for (ClusterStep step : sequence.steps()) {
      plans
          .take(playback.event(step))
          .ifPresent(
              turn -> {
                ledger.enter(turn.event(), turn.decisions());
                deadlines.enter(turn.event(), turn.decisions());
                books.accept(ledger);
              });
    }
  }

  /** Until when the plans that were requested may be carried out, by their numbers. */
  private record Deadlines(Optional<BatchWindow> window, Map<Long, Instant> open) {

    void enter(ClusterEvent event, List<Decision> decisions) {
      if (event instanceof ClusterEvent.PlanProposed proposed && proposed.plan().number() > 0) {
        @Nullable Instant deadline = open.remove(proposed.plan().number());
        if (decisions.stream().anyMatch(Deadlines::isPlanned)) {
          assertThat(deadline).as("%s is awaited", proposed.plan()).isNotNull();
          assertThat(event.at()).isBefore(Objects.requireNonNull(deadline));
        }
      }
      for (Decision decision : decisions) {
        if (decision instanceof Decision.RequestPlan asked) {
          open.clear();
          Instant deadline = event.at().plus(window.orElseThrow().planTimeout());
          open.put(asked.request().number(), deadline);
        }
      }
    }

    private static boolean isPlanned(Decision decision) {
      return decision.why() instanceof Reason.Planned || decision.why() instanceof Reason.NetGain;
    }
  }

  /** A task on a GPU. */
  private record OnGpu(JobSpec job, TaskPlacement task) {
    ColocationProfile profile() {
      return KnownLoads.profile(job, V100);
    }
  }

  private static void requireSharingAsPromised(Ledger ledger) {
    Map<GpuId, List<OnGpu>> residents = new LinkedHashMap<>();
    ledger
        .running()
        .forEach(
            (id, place) ->
                place
                    .tasks()
                    .forEach(
                        task ->
                            task.gpus()
                                .forEach(
                                    gpu ->
                                        residents
                                            .computeIfAbsent(
                                                new GpuId(task.node(), gpu),
                                                key -> new ArrayList<>())
                                            .add(new OnGpu(ledger.job(id), task)))));
    residents.values().forEach(PlanLaws::requireSharingAsPromised);
  }

  private static void requireSharingAsPromised(List<OnGpu> residents) {
    assertThat(residents).extracting(on -> on.job().id()).doesNotHaveDuplicates();
    assertThat(residents).hasSizeLessThanOrEqualTo(2);
    for (OnGpu victim : residents) {
      List<ColocationProfile> others =
          residents.stream().filter(on -> !on.equals(victim)).map(OnGpu::profile).toList();
      if (victim.job().sharing() instanceof Sharing.Exclusive) {
        assertThat(others).as("beside %s", victim).isEmpty();
        assertThat(victim.task().share()).as("%s", victim).isEqualTo(GpuShare.WHOLE);
      } else if (!others.isEmpty()) {
        requireFloor(victim, others);
      }
    }
  }

  private static void requireFloor(OnGpu victim, List<ColocationProfile> others) {
    Prediction speed = PREDICTOR.retainedSpeed(new ColocationQuery(V100, victim.profile(), others));
    if (victim.job().sharing() instanceof Sharing.Guaranteed promised) {
      assertThat(speed.low()).as("%s", victim).isGreaterThanOrEqualTo(promised.floor());
    } else {
      assertThat((float) speed.value()).as("%s", victim).isGreaterThanOrEqualTo(0.55f);
    }
  }
}
