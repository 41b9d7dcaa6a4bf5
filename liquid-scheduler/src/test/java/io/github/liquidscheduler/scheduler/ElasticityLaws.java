package io.github.liquidscheduler.scheduler;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.testkit.ClusterStep;
import io.github.liquidscheduler.testkit.JobDraft;
import io.github.liquidscheduler.testkit.Ledger;
import io.github.liquidscheduler.testkit.Playback;
import io.github.liquidscheduler.testkit.PresenceLedger;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Invariants of jobs that change their sizes while they run. */
class ElasticityLaws {

  private static final List<SizingPolicy> SIZINGS =
      List.of(
          SizingPolicy.elasticTiresias(),
          SizingPolicy.marginalGain(),
          SizingPolicy.optimus(),
          SizingPolicy.afs(),
          SizingPolicy.goodput());

  private static final int AT_MOST_EVERY = 20;

  private record Elastic(EventSequence sequence, Elasticity elasticity) {

    LiquidScheduler.Builder options() {
      return sequence.options().elasticity(elasticity);
    }

    List<Playback.Turn> play() {
      return sequence.play(options());
    }
  }

  @Provide
  Arbitrary<Elastic> elastic() {
    return Combinators.combine(
            EventSequence.sequences(
                Arbitraries.oneOf(JobDraft.any(), JobDraft.inParts()), EventSequence.POLICIES),
            Arbitraries.of(SIZINGS),
            Arbitraries.of(0, 1, 3),
            Arbitraries.of(1, 5, 30),
            Arbitraries.of(true, false))
        .as(
            (sequence, sizing, limit, coolDown, profiles) ->
                new Elastic(sequence, elasticity(sizing, limit, coolDown, profiles)));
  }

  private static Elasticity elasticity(
      SizingPolicy sizing, int limit, int coolDown, boolean profiles) {
    Elasticity.Builder elasticity =
        Elasticity.by(sizing)
            .pendingLimit(limit)
            .coolDown(Duration.ofSeconds(coolDown))
            .worthwhile(0);
    return (profiles
            ? elasticity.profileJobs().profileAgain(.2, Duration.ofSeconds(AT_MOST_EVERY))
            : elasticity)
        .build();
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void whatRunsIsWholeAllowedAndNeverTooMuch(@ForAll("elastic") Elastic elastic) {
    Ledger ledger = new Ledger(elastic.sequence().cluster());

    for (Playback.Turn turn : elastic.play()) {
      ledger.enter(turn.event(), turn.decisions());
    }
  }

  /** A job that has not switched yet may go back at any time, and one that gives way shrinks. */
  @Property(edgeCases = EdgeCasesMode.NONE)
  void aSizeIsKeptForTheCoolDown(@ForAll("elastic") Elastic elastic) {
    Map<JobId, Instant> changedAt = new HashMap<>();
    LiquidScheduler scheduler = elastic.options().build();
    Playback playback = EventSequence.playback(scheduler);

    for (ClusterStep step : elastic.sequence().steps()) {
      Map<JobId, JobStatus> before = new HashMap<>();
      scheduler.view().runningJobs().forEach(job -> before.put(job, status(scheduler, job)));
      List<Decision> decisions =
          playback.play(step).map(Playback.Turn::decisions).orElse(List.of());
      for (Decision decision : decisions) {
        if (decision instanceof Decision.Resize resize && !givesWay(resize)) {
          switch (requireNonNull(before.get(resize.job()))) {
            case JobStatus.Resizing change ->
                assertThat(resize.placement()).as("goes back").isEqualTo(change.placement());
            case JobStatus.Running running -> {
              Instant changed = changedAt.getOrDefault(resize.job(), running.since());
              Instant last = changed.isBefore(running.since()) ? running.since() : changed;
              assertThat(Duration.between(last, playback.now()))
                  .isGreaterThanOrEqualTo(elastic.elasticity().coolDown());
            }
            default -> throw new AssertionError(resize + " of a job that did not run");
          }
        }
      }
      before.forEach(
          (job, status) -> {
            if (status instanceof JobStatus.Resizing
                && !(status(scheduler, job) instanceof JobStatus.Resizing)) {
              changedAt.put(job, playback.now());
            }
          });
    }
  }

  private static boolean givesWay(Decision.Resize resize) {
    return resize.why() instanceof Reason.MadeSmaller;
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void profilesKeepTheirLeastInterval(@ForAll("elastic") Elastic elastic) {
    Map<JobId, Instant> profiledAt = new HashMap<>();

    for (Playback.Turn turn : elastic.play()) {
      if (turn.event() instanceof ClusterEvent.JobSubmitted submitted) {
        profiledAt.remove(submitted.job());
      }
      for (Decision decision : turn.decisions()) {
        if (decision instanceof Decision.Profile profile) {
          Instant now = turn.event().at();
          Instant last = profiledAt.put(profile.job(), now);
          assertThat(last == null ? AT_MOST_EVERY : Duration.between(last, now).toSeconds())
              .isGreaterThanOrEqualTo(AT_MOST_EVERY);
        }
      }
    }
  }

  private static JobStatus status(LiquidScheduler scheduler, JobId job) {
    return scheduler.status(job).orElseThrow();
  }

  /** Checked against books of who is really there, kept from events and decisions alone. */
  @Property(edgeCases = EdgeCasesMode.NONE)
  void aStartNamesTheJobThatStillHoldsItsGpus(@ForAll("elastic") Elastic elastic) {
    LiquidScheduler scheduler = elastic.options().build();
    Playback playback = EventSequence.playback(scheduler);
    PresenceLedger books = new PresenceLedger();

    for (ClusterStep step : elastic.sequence().steps()) {
      playback.play(step).ifPresent(turn -> books.enter(turn.event(), turn.decisions(), scheduler));
    }
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void nothingIsChangedWhenNothingHappens(@ForAll("elastic") Elastic elastic) {
    Playback playback = EventSequence.playback(elastic.options().build());

    for (ClusterStep step : elastic.sequence().steps()) {
      ClusterStep nothing = new ClusterStep(ClusterStep.Kind.WAIT, 0, 0, step.job());
      playback.play(step);
      playback.play(nothing);
      assertThat(playback.play(nothing).orElseThrow().decisions())
          .noneMatch(Decision.Resize.class::isInstance);
    }
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void copiesAndRestoredSchedulersGoOnAlike(@ForAll("elastic") Elastic elastic) {
    LiquidScheduler scheduler = elastic.options().build();
    Playback playback = EventSequence.playback(scheduler);
    int half = elastic.sequence().steps().size() / 2;
    playback.play(elastic.sequence().steps().subList(0, half));
    LiquidScheduler copy = (LiquidScheduler) scheduler.copy();
    LiquidScheduler restored =
        elastic
            .sequence()
            .options(scheduler.view().topology())
            .elasticity(elastic.elasticity())
            .restore(scheduler.snapshot());
    Playback ofCopy = playback.goingOnWith(copy);
    Playback ofRestored = playback.goingOnWith(restored);

    for (ClusterStep step :
        elastic.sequence().steps().subList(half, elastic.sequence().steps().size())) {
      assertThat(ofCopy.play(step)).isEqualTo(playback.play(step));
      assertThat(copy.snapshot()).isEqualTo(scheduler.snapshot());
      ofRestored.play(step);
      assertThat(restored.snapshot()).isEqualTo(scheduler.snapshot());
    }
  }
}
