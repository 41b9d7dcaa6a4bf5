package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.KnownLoads;
import io.github.liquidscheduler.placement.colocation.PredictedSlowdownRule;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.testkit.ClusterStep;
import io.github.liquidscheduler.testkit.JobDraft;
import io.github.liquidscheduler.testkit.Playback;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;

/** A plan that is carried out in several events is carried out as in one. */
class ShortPlanLaws {

  private static final Colocation COLOCATION =
      Colocation.builder(PredictedSlowdownRule.of(new KnownLoads(0.1)))
          .profiles(KnownLoads::profile)
          .build();

  /** Sequences without queues, in some of which plans are unasked only. */
  @Provide
  Arbitrary<QueueLaws.Sequence> sequences() {
    return EventSequence.sequences(JobDraft.ofEveryKind(), EventSequence.POLICIES)
        .map(events -> new QueueLaws.Sequence(withMorePlans(events), List.of()));
  }

  private static EventSequence withMorePlans(EventSequence events) {
    return new EventSequence(
        events.cluster(),
        events.policy(),
        events.rules(),
        events.window(),
        events.steps().stream().map(ShortPlanLaws::orPlan).toList());
  }

  private static ClusterStep orPlan(ClusterStep step) {
    return step.pick() % 5 == 0
        ? new ClusterStep(ClusterStep.Kind.PLAN, step.pick() / 5, step.seconds(), step.job())
        : step;
  }

  @Provide
  Arbitrary<QueueLaws.Sequence> sequencesInQueues() {
    return BatchQueueLaws.sequences();
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void shortEventsDecideAsLongOnes(
      @ForAll("sequences") QueueLaws.Sequence sequence,
      @ForAll @IntRange(min = 1, max = 3) int starts) {
    requireTheSame(sequence, starts, 1);
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void alsoWhereJobsStandInQueues(
      @ForAll("sequencesInQueues") QueueLaws.Sequence sequence,
      @ForAll @IntRange(min = 1, max = 3) int starts,
      @ForAll @IntRange(min = 1, max = 3) int searches) {
    requireTheSame(sequence, starts, searches);
  }

  private static void requireTheSame(QueueLaws.Sequence sequence, int starts, int searches) {
    LiquidScheduler few = bounded(sequence.events().options(), starts, searches).build();
    Scheduler all = new WokenAtOnce(sequence.scheduler());
    PlanStorm plans = new PlanStorm(few, COLOCATION);
    Playback playback = new Playback(few, plans);
    QueueLaws.play(
        sequence,
        playback,
        event ->
            plans
                .take(Optional.of(event))
                .ifPresent(
                    turn ->
                        assertThat(withTheRest(turn, few, plans))
                            .as("after %s", event)
                            .isEqualTo(all.on(event))));
  }

  private static List<Decision> withTheRest(
      Playback.Turn turn, LiquidScheduler few, PlanStorm plans) {
    List<Decision> decisions = new ArrayList<>(turn.decisions());
    while (few.nextWakeUp().filter(turn.event().at()::equals).isPresent()) {
      plans
          .take(Optional.of(new ClusterEvent.TimePassed(turn.event().at())))
          .ifPresent(more -> decisions.addAll(more.decisions()));
    }
    return decisions;
  }

  /** Also where other events come before they are woken. */
  @Property(edgeCases = EdgeCasesMode.NONE)
  void copiesAndRestoredSchedulersGoOnWithAPlan(@ForAll("sequences") QueueLaws.Sequence sequence) {
    requireTheSameAfterRestarts(sequence);
  }

  @Tag("slow")
  @Property(edgeCases = EdgeCasesMode.NONE)
  void copiesAndRestoredSchedulersGoOnWithAPlanForQueues(
      @ForAll("sequencesInQueues") QueueLaws.Sequence sequence) {
    requireTheSameAfterRestarts(sequence);
  }

  private static void requireTheSameAfterRestarts(QueueLaws.Sequence sequence) {
    LiquidScheduler first = bounded(sequence.events().options(), 1, 1).build();
    PlanStorm plans = new PlanStorm(first, COLOCATION);
    Playback playback = new Playback(first, plans);
    QueueLaws.play(
        sequence,
        playback,
        event -> {
          ClusterTopology cluster = first.view().topology();
          LiquidScheduler.Builder alike = bounded(sequence.events().options(cluster), 1, 1);
          List<Scheduler> others = List.of(first.copy(), alike.restore(first.snapshot()));
          plans
              .take(Optional.of(event))
              .ifPresent(turn -> others.forEach(other -> requireTheSame(turn, first, other)));
        });
  }

  private static void requireTheSame(Playback.Turn turn, LiquidScheduler first, Scheduler other) {
    assertThat(other.on(turn.event())).as("after %s", turn.event()).isEqualTo(turn.decisions());
    assertThat(other.nextWakeUp()).isEqualTo(first.nextWakeUp());
    if (first.state().jobs().quotas().hasQueueTree()) {
      assertThat(ShortQueueEventLaws.sectionsOf(other))
          .isEqualTo(ShortQueueEventLaws.sectionsOf(first));
    } else {
      ShortEventLaws.requireAlike(other, first);
    }
  }

  private static LiquidScheduler.Builder bounded(
      LiquidScheduler.Builder options, int starts, int searches) {
    return options.startsPerEvent(starts).searchesPerEvent(searches);
  }
}
