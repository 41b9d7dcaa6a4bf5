package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.ResizeCost;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.testkit.ClusterStep;
import io.github.liquidscheduler.testkit.JobDraft;
import io.github.liquidscheduler.testkit.Ledger;
import io.github.liquidscheduler.testkit.Playback;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Queues in a tree whose jobs change their sizes, some of them by what others have to give. */
class ElasticQueueLaws {

  private static final int QUIET_TURNS = 1_000;
  private static final int TURNS_TO_SETTLE = 100;
  private static final List<String> LASTING =
      List.of(Policies.priority().name(), Policies.bestEffortFifo().name(), Policies.fifo().name());

  private record Elastic(QueueLaws.Sequence sequence, Elasticity elasticity) {

    LiquidScheduler scheduler() {
      return options(sequence.events().cluster()).build();
    }

    LiquidScheduler.Builder options(ClusterTopology cluster) {
      return sequence.events().options(cluster).elasticity(elasticity);
    }

    /** Has each event, as it is possible by then, be taken. */
    void play(Playback playback, Consumer<ClusterEvent> taken) {
      List<ClusterStep> steps = sequence.events().steps();
      for (int step = 0; step < steps.size(); step++) {
        sequence
            .treeBefore(step)
            .map(tree -> new ClusterEvent.QueuesChanged(playback.now(), tree))
            .ifPresent(taken);
        playback.event(steps.get(step)).ifPresent(taken);
      }
    }
  }

  @Provide
  Arbitrary<Elastic> elastic() {
    return elastic(QueueLaws.sequences(Arbitraries.oneOf(JobDraft.any(), JobDraft.inParts())));
  }

  @Provide
  Arbitrary<Elastic> elasticByModel() {
    return elastic(QueueLaws.sequencesByModel(JobDraft.any()));
  }

  private static Arbitrary<Elastic> elastic(Arbitrary<QueueLaws.Sequence> sequences) {
    return Combinators.combine(
            sequences,
            Arbitraries.of(1, 5, 30),
            Arbitraries.of(true, false),
            Arbitraries.of(true, true, false))
        .as(
            (sequence, coolDown, startsSmall, preemptsToGrow) ->
                new Elastic(sequence, elasticity(coolDown, startsSmall, preemptsToGrow)));
  }

  private static Elasticity elasticity(int coolDown, boolean startsSmall, boolean preemptsToGrow) {
    Elasticity.Builder elasticity =
        Elasticity.by(SizingPolicy.marginalGain())
            .coolDown(Duration.ofSeconds(coolDown))
            .worthwhile(0)
            .cost(ResizeCost.NONE);
    if (startsSmall) {
      elasticity.startSmall();
    }
    if (preemptsToGrow) {
      elasticity.preemptToGrow();
    }
    return elasticity.build();
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void nothingStartsOrGrowsBeyondALimitAndWhatRunsIsWhole(@ForAll("elastic") Elastic elastic) {
    LiquidScheduler scheduler = elastic.scheduler();
    QueueLedger queues = new QueueLedger();
    Ledger cluster = new Ledger(elastic.sequence().events().cluster());
    Playback playback = EventSequence.playback(scheduler);

    elastic.play(
        playback,
        event -> {
          List<Decision> decisions = playback.take(event).decisions();
          queues.enter(event, decisions);
          cluster.enter(event, decisions);
        });
  }

  /** The quotas by model forbid many placements that capacity allows. */
  @Property(tries = 1_000, edgeCases = EdgeCasesMode.NONE)
  void everyEventIsTakenWhereQueuesCountModels(@ForAll("elasticByModel") Elastic elastic) {
    LiquidScheduler scheduler = elastic.scheduler();
    Ledger cluster = new Ledger(elastic.sequence().events().cluster());
    Playback playback = EventSequence.playback(scheduler);

    elastic.play(playback, event -> cluster.enter(event, playback.take(event).decisions()));
  }

  @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
  void aSchedulerRestoredBeforeEachEventDecidesTheSame(@ForAll("elastic") Elastic elastic) {
    LiquidScheduler first = elastic.scheduler();
    Playback playback = EventSequence.playback(first);

    elastic.play(
        playback,
        event -> {
          LiquidScheduler restored =
              elastic.options(first.view().topology()).restore(first.snapshot());

          assertThat(restored.on(event)).isEqualTo(playback.take(event).decisions());
          assertThat(restored.snapshot()).isEqualTo(first.snapshot());
        });
  }

  /** Jobs neither come nor end; under other policies jobs take turns as time passes. */
  @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
  void inAThousandQuietTurnsNobodyIsStoppedInTurns(@ForAll("elastic") Elastic elastic) {
    LiquidScheduler scheduler = elastic.scheduler();
    Playback playback = EventSequence.playback(scheduler);
    elastic.play(playback, playback::take);

    if (LASTING.contains(elastic.sequence().events().policy().name())) {
      assertThat(stoppedLate(scheduler, playback.now())).isEmpty();
    }
  }

  /** Returns the decisions against a job once a hundred turns have passed. */
  private static List<Decision> stoppedLate(LiquidScheduler scheduler, Instant last) {
    List<Decision> stopped = new ArrayList<>();
    for (int turn = 1; turn <= QUIET_TURNS; turn++) {
      Instant at = last.plusSeconds(turn * 31L);
      for (Decision decision : scheduler.on(new ClusterEvent.TimePassed(at))) {
        if (turn > TURNS_TO_SETTLE
            && (decision instanceof Decision.Preempt || decision instanceof Decision.Resize)) {
          stopped.add(decision);
        }
      }
    }
    return stopped;
  }
}
