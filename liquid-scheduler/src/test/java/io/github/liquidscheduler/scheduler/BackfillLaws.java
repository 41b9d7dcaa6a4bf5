package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.Migration;
import io.github.liquidscheduler.planning.PlanCertificate;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.testkit.ClusterStep;
import io.github.liquidscheduler.testkit.JobDraft;
import io.github.liquidscheduler.testkit.Playback;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;

/** Reservations are kept on every cluster, by copies and restored schedulers too. */
class BackfillLaws {

  private static final List<SchedulingPolicy> POLICIES =
      List.of(Policies.fifo(), Policies.bestEffortFifo(), Policies.shortestJobFirst());

  private static final List<Placer> PLACERS = List.of(Placers.bestFit(), Placers.leastCost());

  @Provide
  Arbitrary<EventSequence> sequences() {
    return EventSequence.sequences(JobDraft.any(), POLICIES).map(EventSequence::immediate);
  }

  @Provide
  Arbitrary<EventSequence> inOrder() {
    return EventSequence.sequences(JobDraft.any(), List.of(Policies.fifo()))
        .map(EventSequence::immediate);
  }

  @Provide
  Arbitrary<Backfill> rules() {
    return Arbitraries.of(1, 2, 4, Integer.MAX_VALUE)
        .map(Backfill::reserving)
        .map(rules -> rules.assuming(Duration.ofSeconds(100)))
        .flatMap(
            rules ->
                Arbitraries.of(
                    rules,
                    rules.holdingAfter(Duration.ofSeconds(30), 1),
                    rules.holdingAfter(Duration.ZERO, 2)));
  }

  @Provide
  Arbitrary<Placer> placers() {
    return Arbitraries.of(PLACERS);
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void copiesAndRestoredSchedulersReserveTheSame(
      @ForAll("sequences") EventSequence sequence,
      @ForAll("rules") Backfill rules,
      @ForAll("placers") Placer placer) {
    LiquidScheduler first = sequence.options().placer(placer).backfill(rules).build();
    Playback playback = EventSequence.playback(first);

    for (ClusterStep step : sequence.steps()) {
      Scheduler copy = first.copy();
      Scheduler restored =
          sequence
              .options(first.view().topology())
              .placer(placer)
              .backfill(rules)
              .restore(first.snapshot());
      playback
          .play(step)
          .ifPresent(
              turn -> {
                assertThat(copy.on(turn.event())).isEqualTo(turn.decisions());
                assertThat(restored.on(turn.event())).isEqualTo(turn.decisions());
                assertThat(restored.snapshot()).isEqualTo(first.snapshot());
                assertThat(copy.snapshot()).isEqualTo(first.snapshot());
              });
    }
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void nothingIsDecidedBeforeTheNextWakeUp(
      @ForAll("sequences") EventSequence sequence, @ForAll("rules") Backfill rules) {
    LiquidScheduler scheduler = sequence.options().backfill(rules).build();
    Playback playback = EventSequence.playback(scheduler);

    for (ClusterStep step : sequence.steps()) {
      playback.play(step);
      WakeUps.requireNothingBeforeTheNext(scheduler, playback.now());
    }
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void withExactDurationsNoJobStartsLaterThanPromised(
      @ForAll("inOrder") EventSequence sequence,
      @ForAll("rules") Backfill rules,
      @ForAll("placers") Placer placer) {
    LiquidScheduler scheduler = sequence.options().placer(placer).backfill(rules).build();
    Map<JobId, Instant> promised = new LinkedHashMap<>();
    ExactRun run =
        new ExactRun(scheduler, (start, now, end) -> assertKept(promised, start.job(), now));

    for (ClusterStep step : sequence.steps()) {
      run.submit(step);
      promise(scheduler, promised);
      planMove(scheduler, step).ifPresent(plan -> run.on(planned(run.now(), plan)));
      promise(scheduler, promised);
    }
    while (run.goOn(Instant.MAX)) {
      promise(scheduler, promised);
    }

    assertThat(scheduler.waiting()).isEmpty();
    Statistics.label("promises").collect(Math.min(promised.size(), 8));
  }

  /** Returns a move of a running job to GPUs that are free, as an operator may propose it. */
  private static Optional<Migration> planMove(LiquidScheduler scheduler, ClusterStep step) {
    List<JobId> running = scheduler.view().runningJobs();
    if (running.isEmpty()) {
      return Optional.empty();
    }
    JobSpec job = scheduler.job(running.get(step.pick() % running.size())).orElseThrow();
    JobSpec another =
        JobSpec.builder("another")
            .roles(job.roles())
            .groups(job.groups())
            .topology(job.topology())
            .gpuModels(job.gpuModels())
            .build();
    return Placers.bestFit()
        .place(scheduler.view(), another)
        .map(place -> new Migration(job.id(), new Placement(job.id(), place.tasks()), 1, 100));
  }

  private static ClusterEvent planned(Instant now, Migration move) {
    PlanCertificate certificate = new PlanCertificate(0, 0, 0, 0, List.of());
    return new ClusterEvent.PlanProposed(
        now, new BatchPlan(0, List.of(), List.of(move), List.of(), certificate));
  }

  private static void promise(Scheduler scheduler, Map<JobId, Instant> promised) {
    for (JobId job : scheduler.waiting()) {
      scheduler
          .reservedStart(job)
          .ifPresent(
              start -> {
                assertKept(promised, job, start);
                promised.putIfAbsent(job, start);
              });
      assertThat(scheduler.status(job)).get().isInstanceOf(JobStatus.Waiting.class);
    }
  }

  private static void assertKept(Map<JobId, Instant> promised, JobId job, Instant start) {
    assertThat(start).isBeforeOrEqualTo(promised.getOrDefault(job, start));
  }
}
