package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduler.job.Sighting;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduling.AdvanceReservation;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.ReservationId;
import io.github.liquidscheduler.scheduling.ReservationStatus;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.testkit.ClusterStep;
import io.github.liquidscheduler.testkit.JobDraft;
import io.github.liquidscheduler.testkit.Playback;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;

/** Announced reservations are kept, by copies and restored schedulers too. */
class AdvanceReservationLaws {

  private static final List<SchedulingPolicy> POLICIES =
      List.of(Policies.fifo(), Policies.bestEffortFifo(), Policies.shortestJobFirst());

  private static final int FAR = 10_000_000;

  /** Rules under which no waiting job gets a reservation. */
  private static final Backfill NONE = Backfill.easy().forJobsOf(1_000);

  @Provide
  Arbitrary<EventSequence> sequences() {
    return EventSequence.sequences(JobDraft.any(), POLICIES).map(EventSequence::immediate);
  }

  @Provide
  Arbitrary<Backfill> rules() {
    return Arbitraries.of(1, 2, 4, Integer.MAX_VALUE)
        .map(Backfill::reserving)
        .flatMap(rules -> Arbitraries.of(rules, NONE))
        .map(rules -> rules.assuming(Duration.ofSeconds(100)));
  }

  @Provide
  Arbitrary<List<OperatorStep>> operators() {
    return Combinators.combine(
            Arbitraries.integers().between(1, 1023),
            Arbitraries.integers().between(0, 2),
            Arbitraries.of(0, 1, 50, 200, 1000),
            Arbitraries.of(1, 100, 1000),
            Arbitraries.of(true, false),
            Arbitraries.integers().between(0, 7))
        .as(OperatorStep::new)
        .list()
        .ofSize(27);
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void copiesAndRestoredSchedulersDecideTheSame(
      @ForAll("sequences") EventSequence sequence,
      @ForAll("rules") Backfill rules,
      @ForAll("operators") List<OperatorStep> operators) {
    LiquidScheduler first = sequence.options().backfill(rules).build();
    Playback playback = EventSequence.playback(first);

    for (int i = 0; i < sequence.steps().size(); i++) {
      OperatorStep operator = operators.get(i / 3);
      Optional<ClusterEvent> next =
          i % 3 == 0
              ? operator.event(first, playback.now())
              : playback.event(
                  i % 3 == 1
                      ? sequence.steps().get(i)
                      : operator.asOneBeginsOrEnds(sequence.steps().get(i), first, playback.now()));
      if (next.isPresent()) {
        Scheduler copy = first.copy();
        Scheduler restored =
            sequence.options(first.view().topology()).backfill(rules).restore(first.snapshot());
        List<Decision> decisions = playback.take(next.get()).decisions();
        assertThat(copy.on(next.get())).isEqualTo(decisions);
        assertThat(restored.on(next.get())).isEqualTo(decisions);
        assertThat(restored.snapshot()).isEqualTo(first.snapshot());
        assertThat(copy.snapshot()).isEqualTo(first.snapshot());
        assertThat(copy.nextWakeUp()).isEqualTo(first.nextWakeUp());
        if (requireNobodyInMaintenance(first, next.get())) {
          Statistics.label("maintenance").collect("lasts");
        }
        WakeUps.requireNothingBeforeTheNext(first, playback.now());
      }
    }
  }

  /**
   * Jobs that take their time to stop are there for no longer than the grace period, and adopted
   * ones may come or stay. Returns true if there is maintenance.
   */
  static boolean requireNobodyInMaintenance(LiquidScheduler scheduler, ClusterEvent event) {
    Instant now = event.at();
    boolean isOver = event instanceof ClusterEvent.TimePassed;
    boolean isAny = false;
    for (ReservationStatus each : scheduler.advanceReservations()) {
      if (each.reservation() instanceof AdvanceReservation.Maintenance maintenance
          && (isOver ? !now.isBefore(maintenance.from()) : now.isAfter(maintenance.from()))
          && now.isBefore(maintenance.until())) {
        for (JobId job : scheduler.view().runningJobs()) {
          boolean isRunning =
              scheduler.state().jobs().get(job).history().sighting() == Sighting.NONE
                  && scheduler.status(job).filter(JobStatus.Running.class::isInstance).isPresent();
          Placement placement = scheduler.view().placement(job).orElseThrow();
          assertThat(
                  isRunning && placement.nodes().stream().anyMatch(maintenance.nodes()::contains))
              .as("job %s in %s at %s", job, maintenance, now)
              .isFalse();
        }
        isAny = true;
      }
    }
    return isAny;
  }

  private static PreemptionRules grace(EventSequence sequence) {
    return PreemptionRules.NONE.gracePeriod(sequence.rules().gracePeriod());
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void jobsWithExactDurationsEndBeforeAKnownReservationBegins(
      @ForAll("sequences") EventSequence sequence,
      @ForAll("rules") Backfill rules,
      @ForAll("operators") List<OperatorStep> operators) {
    LiquidScheduler scheduler =
        sequence.options().preemption(grace(sequence)).backfill(rules).build();
    ExactRun run =
        new ExactRun(
            scheduler, (start, now, end) -> requireInNobodysWay(scheduler, start, now, end));

    for (int i = 0; i < sequence.steps().size(); i++) {
      run.submit(sequence.steps().get(i));
      if (i % 3 == 0) {
        operators.get(i / 3).event(scheduler, run.now()).ifPresent(run::on);
      }
    }
    while (run.goOn(Instant.MAX)) {}

    assertThat(scheduler.waiting()).isEmpty();
    assertThat(scheduler.advanceReservations()).isEmpty();
  }

  private static void requireInNobodysWay(
      Scheduler scheduler, Decision.Start start, Instant now, Instant end) {
    JobSpec job = scheduler.job(start.job()).orElseThrow();
    for (ReservationStatus each : scheduler.advanceReservations()) {
      Instant from = each.heldFrom().orElse(Instant.MAX);
      if (now.isBefore(each.reservation().until()) && from.isBefore(end)) {
        switch (each.reservation()) {
          case AdvanceReservation.Maintenance maintenance ->
              assertThat(start.placement().nodes())
                  .doesNotContainAnyElementsOf(maintenance.nodes());
          case AdvanceReservation.Capacity reserved -> {
            if (!reserved.isFor(job)) {
              assertThat(gpus(start.placement()))
                  .doesNotContainAnyElementsOf(gpus(each.placement().orElseThrow()));
            }
          }
        }
      }
    }
  }

  private static List<GpuId> gpus(Placement placement) {
    return placement.tasks().stream()
        .flatMap(task -> task.gpus().stream().map(gpu -> new GpuId(task.node(), gpu)))
        .toList();
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void aJobStartsWhenItsTimelyReservationBegins(
      @ForAll("sequences") EventSequence sequence, @ForAll("rules") Backfill rules) {
    LiquidScheduler scheduler = sequence.options().backfill(rules).build();
    int most =
        scheduler.view().topology().nodes().stream()
            .mapToInt(node -> node.gpus().size())
            .max()
            .orElse(0);
    List<Instant> starts = new ArrayList<>();
    ExactRun run =
        new ExactRun(
            scheduler,
            (start, now, end) -> {
              if (start.job().equals(JobId.of("gang"))) {
                starts.add(now);
              }
            });
    int half = sequence.steps().size() / 2;
    if (most == 0) {
      return;
    }

    sequence.steps().subList(0, half).forEach(run::submit);
    JobSpec gang = JobSpec.builder("gang").gpus(most).build();
    // By then all that runs has ended, and has been expected to.
    Instant from = run.now().plusSeconds(301);
    run.on(
        new ClusterEvent.ReservationAnnounced(
            run.now(),
            new AdvanceReservation.Capacity(
                ReservationId.of("early"),
                from,
                from.plusSeconds(500),
                gang,
                List.of(gang.id()),
                Optional.empty())));
    for (ClusterStep step : sequence.steps().subList(half, sequence.steps().size())) {
      if (run.now().plusSeconds(step.seconds()).isBefore(from)) {
        run.submit(step);
      }
    }
    if (starts.isEmpty()) {
      run.submit(gang, 200);
    }
    while (run.goOn(Instant.MAX)) {}

    assertThat(starts).hasSize(1);
    assertThat(starts.getFirst()).isBeforeOrEqualTo(from);
    Statistics.label("starts").collect(starts.getFirst().equals(from) ? "at its time" : "before");
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void whatIsCancelledBeforeItMattersChangesNothing(
      @ForAll("sequences") EventSequence sequence,
      @ForAll("rules") Backfill rules,
      @ForAll("operators") List<OperatorStep> operators) {
    LiquidScheduler plain = sequence.options().backfill(rules).build();
    LiquidScheduler other = sequence.options().backfill(rules).build();
    Playback playback = EventSequence.playback(plain);

    for (int i = 0; i < sequence.steps().size(); i++) {
      OperatorStep now = operators.get(i / 3);
      if (i % 3 == 0) {
        OperatorStep late =
            new OperatorStep(now.pick(), now.id(), FAR, now.seconds(), now.isRoom(), now.gpus());
        ClusterEvent quiet = new ClusterEvent.TimePassed(playback.now());
        assertThat(other.on(late.event(other, playback.now()).orElse(quiet)))
            .isEqualTo(playback.take(quiet).decisions());
      }
      playback
          .play(sequence.steps().get(i))
          .ifPresent(turn -> assertThat(other.on(turn.event())).isEqualTo(turn.decisions()));
      assertThat(other.reservedStarts()).isEqualTo(plain.reservedStarts());
    }
  }
}
