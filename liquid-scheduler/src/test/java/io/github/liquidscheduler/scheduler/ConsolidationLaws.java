package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.testkit.JobDraft;
import io.github.liquidscheduler.testkit.Ledger;
import io.github.liquidscheduler.testkit.Playback;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;

/** Moves go to free capacity, serve a start and keep within their limits. */
class ConsolidationLaws {

  private static final List<SchedulingPolicy> POLICIES =
      Stream.concat(
              EventSequence.POLICIES.stream(),
              Stream.of(Policies.smallestAreaFirst(), Policies.guaranteedFirst()))
          .toList();

  @Provide
  Arbitrary<EventSequence> sequences() {
    return sequences(JobDraft.any());
  }

  @Provide
  Arbitrary<EventSequence> anySequences() {
    return sequences(Arbitraries.oneOf(JobDraft.any(), plainJobs()));
  }

  /** Returns jobs of few classes, which fit wherever enough GPUs are free. */
  private static Arbitrary<JobDraft> plainJobs() {
    return Combinators.combine(JobDraft.any(), Arbitraries.of(1, 1, 2), Arbitraries.of(1, 1, 2))
        .as(
            (draft, gpus, tasks) ->
                draft.plain(new TaskRole("worker", tasks, ResourceRequest.ofGpus(gpus))));
  }

  @Provide
  Arbitrary<QueueLaws.Sequence> sequencesInQueues() {
    return Combinators.combine(QueueRetryLaws.deep(), sequences())
        .as(
            (queues, moving) ->
                new QueueLaws.Sequence(
                    new EventSequence(
                        queues.events().cluster(),
                        moving.policy(),
                        moving.rules(),
                        Optional.empty(),
                        queues.events().steps()),
                    queues.trees()));
  }

  private static Arbitrary<EventSequence> sequences(Arbitrary<JobDraft> jobs) {
    return Combinators.combine(
            EventSequence.sequences(jobs, POLICIES),
            Arbitraries.of(1, 2, 5),
            Arbitraries.of(Integer.MAX_VALUE, 1, 3),
            Arbitraries.of(0, 20, 300),
            Arbitraries.of(0, 200, 4000))
        .as(
            (events, moves, perHour, pause, rest) ->
                new EventSequence(
                    events.cluster(),
                    events.policy(),
                    events
                        .rules()
                        .moving(moves)
                        .movesPerHour(perHour)
                        .movePause(Duration.ofSeconds(pause))
                        .restAfterMove(Duration.ofSeconds(rest)),
                    events.window(),
                    events.steps()));
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void everyMoveGoesToFreeGpusAndServesAStart(@ForAll("sequences") EventSequence sequence) {
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

  /** A move for another job. */
  private record Made(JobId job, Instant at) {}

  @Property(edgeCases = EdgeCasesMode.NONE)
  void movesKeepTheHourlyLimitAndTheRestAfterAMove(@ForAll("sequences") EventSequence sequence) {
    PreemptionRules rules = sequence.rules();
    List<Made> made = new ArrayList<>();

    for (Playback.Turn turn : sequence.play(sequence.options())) {
      Instant now = turn.event().at();
      for (Decision decision : turn.decisions()) {
        if (decision instanceof Decision.Migrate move && move.why() instanceof Reason.MadeWay) {
          assertThat(made)
              .noneMatch(
                  other ->
                      other.job().equals(move.job())
                          && now.isBefore(other.at().plus(rules.restAfterMove())));
          made.add(new Made(move.job(), now));
        }
      }
      assertThat(made.stream().filter(other -> now.isBefore(other.at().plusSeconds(3600))).count())
          .isLessThanOrEqualTo(rules.movesPerHour());
    }
    Statistics.label("moves").collect(made.isEmpty() ? "none" : "some");
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void whereNobodyIsStoppedForOthersMovesPayForThemselves(
      @ForAll("sequences") EventSequence sequence) {
    if (sequence.policy().preempts()) {
      return;
    }
    Ledger ledger = new Ledger(sequence.cluster());
    Map<JobId, Instant> since = new LinkedHashMap<>();

    for (Playback.Turn turn : sequence.play(sequence.options())) {
      ledger.enter(turn.event(), turn.decisions());
      Instant now = turn.event().at();
      if (turn.event() instanceof ClusterEvent.JobSubmitted submitted) {
        since.put(submitted.spec().id(), now);
      } else if (turn.event() instanceof ClusterEvent.JobFailed failed) {
        since.put(failed.job(), now);
      }
      Map<JobId, Integer> gpus = new LinkedHashMap<>();
      for (Decision decision : turn.decisions()) {
        if (decision instanceof Decision.Preempt stop) {
          since.put(stop.job(), now);
        } else if (decision instanceof Decision.Migrate move
            && move.why() instanceof Reason.MadeWay(JobId winner)) {
          gpus.merge(winner, Math.max(1, move.placement().gpus()), Integer::sum);
        } else if (decision instanceof Decision.Start start && gpus.containsKey(start.job())) {
          Duration waited = Duration.between(Objects.requireNonNull(since.get(start.job())), now);
          assertThat(waited.multipliedBy(Math.max(1, ledger.job(start.job()).gpus())))
              .isGreaterThanOrEqualTo(
                  sequence.rules().movePause().multipliedBy(gpus.get(start.job())));
        }
      }
    }
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
  void whateverTimeAloneMakesPossibleIsDueAtAWakeUp(@ForAll("sequences") EventSequence sequence) {
    LiquidScheduler scheduler = sequence.scheduler();
    Playback playback = EventSequence.playback(scheduler);

    for (var step : sequence.steps()) {
      playback.play(step);
      Instant later = playback.now().plusSeconds(1L + (long) step.pick() * (step.pick() % 5));
      Optional<Instant> wakeUp = scheduler.nextWakeUp();
      if (wakeUp.filter(due -> !due.isAfter(later)).isEmpty()) {
        assertThat(scheduler.copy().on(new ClusterEvent.TimePassed(later)))
            .as("at %s, though due at %s", later, wakeUp)
            .isEmpty();
      }
    }
  }

  @Property(edgeCases = EdgeCasesMode.NONE, tries = 300)
  void nothingHappensWhereNothingHasChangedOrIsDue(@ForAll("sequences") EventSequence any) {
    EventSequence sequence = any.immediate();
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

  /**
   * An update without a change has a waiting job tried, whatever is known of it. A search for moves
   * does not look at all of them, so that it may find some where it found none before.
   */
  private static void requireTried(LiquidScheduler scheduler, ClusterEvent event) {
    scheduler.on(event);
    if (scheduler.nextWakeUp().filter(event.at()::equals).isPresent()) {
      return;
    }
    Scheduler copy = scheduler.copy();
    for (JobEntry job : scheduler.state().jobs().waiting().inOrder()) {
      List<Decision> decisions = copy.on(new ClusterEvent.JobUpdated(event.at(), job.job()));
      if (decisions.stream().anyMatch(ConsolidationLaws::isMoveOrRejection)) {
        return;
      }
      assertThat(decisions)
          .as("%s after %s", job.id(), event)
          .noneMatch(Decision.Start.class::isInstance);
    }
  }

  private static boolean isMoveOrRejection(Decision decision) {
    return decision instanceof Decision.Migrate || decision instanceof Decision.Reject;
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void noJobWaitsThatWouldStartIfItWereTried(@ForAll("anySequences") EventSequence any) {
    EventSequence sequence = any.immediate();
    LiquidScheduler scheduler = sequence.scheduler();
    Playback playback = EventSequence.playback(scheduler);

    for (var step : sequence.steps()) {
      playback.event(step).ifPresent(event -> requireTried(scheduler, event));
    }
  }

  @Property(edgeCases = EdgeCasesMode.NONE, tries = 300)
  void norDoesAJobInAQueueTree(@ForAll("sequencesInQueues") QueueLaws.Sequence sequence) {
    LiquidScheduler scheduler = sequence.scheduler();

    QueueLaws.play(sequence, scheduler, event -> requireTried(scheduler, event));
  }
}
