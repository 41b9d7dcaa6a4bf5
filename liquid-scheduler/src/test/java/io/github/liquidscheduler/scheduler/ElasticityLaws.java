package io.github.liquidscheduler.scheduler;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.ResizeStep;
import io.github.liquidscheduler.testkit.ClusterStep;
import io.github.liquidscheduler.testkit.JobDraft;
import io.github.liquidscheduler.testkit.Ledger;
import io.github.liquidscheduler.testkit.Playback;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

  /** A job that has not switched yet may go back at any time. */
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
        if (decision instanceof Decision.Resize resize) {
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

  /** Checked against books of the jobs on each GPU, kept from events and decisions alone. */
  @Property(edgeCases = EdgeCasesMode.NONE)
  void aStartNamesTheJobThatStillHoldsItsGpus(@ForAll("elastic") Elastic elastic) {
    Holders holders = new Holders();

    for (Playback.Turn turn : elastic.play()) {
      holders.note(turn.event());
      for (Decision decision : turn.decisions()) {
        holders.carryOut(decision);
      }
    }
  }

  /** The jobs on each GPU, with whole tasks. */
  private static final class Holders {

    private final Map<JobId, Set<GpuId>> holding = new HashMap<>();
    private final Map<JobId, Placement> running = new HashMap<>();
    private final Map<JobId, Placement> next = new HashMap<>();
    private final Map<JobId, Instant> until = new HashMap<>();

    void note(ClusterEvent event) {
      until.forEach(
          (job, end) -> {
            if (!end.isAfter(event.at())) {
              holding.remove(job);
            }
          });
      until.values().removeIf(end -> !end.isAfter(event.at()));
      switch (event) {
        case ClusterEvent.ResizeReported e -> report(e);
        case ClusterEvent.JobFinished e -> leave(e.job());
        case ClusterEvent.JobFailed e -> leave(e.job());
        case ClusterEvent.JobCancelled e -> leave(e.job());
        case ClusterEvent.JobStopped e -> leave(e.job());
        case ClusterEvent.JobUpdated e -> leave(e.job());
        default -> {}
      }
    }

    private void report(ClusterEvent.ResizeReported event) {
      JobId job = event.job();
      if (event.step() == ResizeStep.SWITCHED) {
        run(requireNonNull(next.remove(job)));
      } else if (event.step() != ResizeStep.READY
          && requireNonNull(next.get(job)).gpus() > requireNonNull(running.get(job)).gpus()) {
        next.remove(job);
        run(requireNonNull(running.get(job)));
      }
    }

    private void run(Placement placement) {
      running.put(placement.job(), placement);
      holding.put(placement.job(), wholeGpus(placement));
    }

    void carryOut(Decision decision) {
      switch (decision) {
        case Decision.Start start -> {
          take(start.job(), start.placement(), start.after());
          run(start.placement());
        }
        case Decision.Resize resize -> {
          take(resize.job(), resize.placement(), resize.after());
          requireNonNull(holding.get(resize.job())).addAll(wholeGpus(resize.placement()));
          next.put(resize.job(), resize.placement());
        }
        case Decision.Migrate move -> run(move.placement());
        case Decision.Preempt preempt -> {
          next.remove(preempt.job());
          preempt
              .until()
              .ifPresentOrElse(
                  end -> until.put(preempt.job(), end), () -> holding.remove(preempt.job()));
        }
        case Decision.Reject reject -> leave(reject.job());
        case Decision.Profile profile -> {}
        case Decision.Prefetch prefetch -> {}
        case Decision.CancelPrefetch cancel -> {}
        case Decision.RequestPlan request -> {}
      }
    }

    private void leave(JobId job) {
      holding.remove(job);
      next.remove(job);
      until.remove(job);
    }

    private void take(JobId job, Placement placement, List<JobId> after) {
      Set<GpuId> taken = wholeGpus(placement);
      holding.forEach(
          (other, held) -> {
            if (!other.equals(job) && held.stream().anyMatch(taken::contains)) {
              assertThat(after).as("after whom %s", placement).contains(other);
            }
          });
      assertThat(holding.keySet()).containsAll(after);
    }

    private static Set<GpuId> wholeGpus(Placement placement) {
      Set<GpuId> gpus = new HashSet<>();
      for (TaskPlacement task : placement.tasks()) {
        if (task.share().isWhole()) {
          task.gpus().forEach(gpu -> gpus.add(new GpuId(task.node(), gpu)));
        }
      }
      return gpus;
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
