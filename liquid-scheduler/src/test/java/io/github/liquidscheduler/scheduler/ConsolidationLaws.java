package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.testkit.JobDraft;
import io.github.liquidscheduler.testkit.Ledger;
import io.github.liquidscheduler.testkit.Playback;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Whoever moves has a place, for a job that starts, and not more move than may. */
class ConsolidationLaws {

  @Provide
  Arbitrary<EventSequence> sequences() {
    return Combinators.combine(
            EventSequence.sequences(
                JobDraft.any(),
                List.of(Policies.fifo(), Policies.bestEffortFifo(), Policies.priority())),
            Arbitraries.of(1, 2, 5))
        .as(
            (events, moves) ->
                new EventSequence(
                    events.cluster(),
                    events.policy(),
                    events.rules().moving(moves),
                    Optional.empty(),
                    events.steps()));
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void everyJobThatMovesFindsItsPlaceFreeAndMakesWayForOneThatStarts(
      @ForAll("sequences") EventSequence sequence) {
    LiquidScheduler scheduler = sequence.scheduler();
    Ledger ledger = new Ledger(sequence.cluster());

    for (Playback.Turn turn : sequence.play(sequence.options())) {
      ledger.enter(turn.event(), turn.decisions());
      requireReasons(turn.decisions(), ledger, sequence.rules());
    }
    assertThat(scheduler.parameters()).containsKey("preemption.mostMoves");
  }

  private static void requireReasons(
      List<Decision> decisions, Ledger ledger, PreemptionRules rules) {
    Map<JobId, Integer> moves = new LinkedHashMap<>();
    for (Decision decision : decisions) {
      if (decision instanceof Decision.Migrate move
          && move.why() instanceof Reason.MadeWay(JobId winner)) {
        assertThat(ledger.job(move.job()).isPreemptible()).isTrue();
        moves.merge(winner, 1, Integer::sum);
      } else if (decision instanceof Decision.Start start) {
        moves.remove(start.job());
      }
      assertThat(moves.values()).allMatch(number -> number <= rules.mostMoves());
    }
    assertThat(moves).as("moves for jobs that did not start").isEmpty();
  }

  @Property(edgeCases = EdgeCasesMode.NONE, tries = 300)
  void aSchedulerRestoredBeforeEachEventDecidesTheSame(
      @ForAll("sequences") EventSequence sequence) {
    LiquidScheduler first = sequence.scheduler();
    Playback playback = EventSequence.playback(first);

    for (var step : sequence.steps()) {
      Optional<ClusterEvent> event = playback.event(step);
      if (event.isPresent()) {
        Scheduler restored = sequence.options(first.view().topology()).restore(first.snapshot());

        List<Decision> decisions = first.on(event.get());

        assertThat(restored.on(event.get())).isEqualTo(decisions);
        assertThat(restored.snapshot()).isEqualTo(first.snapshot());
      }
    }
  }

  @Property(edgeCases = EdgeCasesMode.NONE, tries = 300)
  void nothingHappensWhereNothingHasChangedOrIsDue(@ForAll("sequences") EventSequence sequence) {
    LiquidScheduler scheduler = sequence.scheduler();
    Playback playback = EventSequence.playback(scheduler);

    for (var step : sequence.steps()) {
      Optional<ClusterEvent> event = playback.event(step);
      if (event.isPresent()) {
        scheduler.on(event.get());
        if (scheduler.nextWakeUp().filter(event.get().at()::equals).isEmpty()) {
          assertThat(scheduler.on(new ClusterEvent.TimePassed(event.get().at()))).isEmpty();
        }
      }
    }
  }
}
