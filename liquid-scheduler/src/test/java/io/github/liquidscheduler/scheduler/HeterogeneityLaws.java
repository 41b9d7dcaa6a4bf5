package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.prediction.PerformancePredictor;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.scheduler.performance.Performance;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.testkit.JobDraft;
import io.github.liquidscheduler.testkit.Ledger;
import io.github.liquidscheduler.testkit.Playback;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Invariants of jobs whose speeds differ by GPU model, and of their moves. */
class HeterogeneityLaws {

  static final Performance STILL = Performance.by(new Drawn());
  static final Performance MOVING = STILL.moving(Duration.ofSeconds(1));

  /** Speeds drawn from the names, so that they differ between jobs; some are not known. */
  private static final class Drawn implements PerformancePredictor {

    @Override
    public Prediction throughput(JobSpec job, GpuModel gpu, int gpus, String widestLevel) {
      int draw = Math.floorMod((job.id().value() + gpu.name()).hashCode(), 9);
      return Prediction.certain(draw, Provenance.MEASURED);
    }

    @Override
    public void observe(
        JobSpec job, GpuModel gpu, int gpus, String widestLevel, double iterationsPerSecond) {}
  }

  @Provide
  Arbitrary<EventSequence> sequences() {
    return EventSequence.sequences(JobDraft.any(), EventSequence.POLICIES)
        .map(EventSequence::immediate);
  }

  @Property(edgeCases = EdgeCasesMode.NONE, tries = 500)
  void whatRunsIsWholeAllowedAndNeverTooMuch(
      @ForAll("sequences") EventSequence sequence, @ForAll boolean isPlacerOwn) {
    Ledger ledger = new Ledger(sequence.cluster());
    LiquidScheduler.Builder options = sequence.options().performance(MOVING);
    if (isPlacerOwn) {
      options.placer(new PlainPlacer());
    }

    for (Playback.Turn turn : sequence.play(options)) {
      ledger.enter(turn.event(), turn.decisions());
      for (Decision decision : turn.decisions()) {
        if (decision instanceof Decision.Migrate move) {
          assertThat(ledger.job(move.job()).isPreemptible()).isTrue();
        }
      }
    }
  }

  @Property(edgeCases = EdgeCasesMode.NONE, tries = 200)
  void aSchedulerRestoredOrCopiedBeforeEachEventDecidesTheSame(
      @ForAll("sequences") EventSequence sequence) {
    LiquidScheduler first = sequence.options().performance(MOVING).build();
    Playback playback = EventSequence.playback(first);

    for (var step : sequence.steps()) {
      Optional<ClusterEvent> event = playback.event(step);
      if (event.isPresent()) {
        Scheduler restored =
            sequence.options(first.view().topology()).performance(MOVING).restore(first.snapshot());
        Scheduler copy = first.copy();

        List<Decision> decisions = first.on(event.get());

        assertThat(restored.on(event.get())).isEqualTo(decisions);
        assertThat(copy.on(event.get())).isEqualTo(decisions);
        assertThat(restored.snapshot()).isEqualTo(first.snapshot());
        assertThat(copy.snapshot()).isEqualTo(first.snapshot());
        assertThat(restored.nextWakeUp()).isEqualTo(first.nextWakeUp());
      }
    }
  }

  @Property(edgeCases = EdgeCasesMode.NONE, tries = 300)
  void movesAreAtLeastTenPausesApart(@ForAll("sequences") EventSequence sequence) {
    Map<JobId, Instant> since = new HashMap<>();

    for (Playback.Turn turn : sequence.play(sequence.options().performance(MOVING))) {
      Instant now = turn.event().at();
      for (Decision decision : turn.decisions()) {
        if (decision instanceof Decision.Start start) {
          since.put(start.job(), now);
        } else if (decision instanceof Decision.Migrate move
            && move.why() instanceof Reason.NetGain) {
          Instant before = since.put(move.job(), now);
          assertThat(Duration.between(before, now)).isGreaterThanOrEqualTo(Duration.ofSeconds(10));
        }
      }
    }
  }
}
