package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.testkit.ClusterStep;
import io.github.liquidscheduler.testkit.JobDraft;
import io.github.liquidscheduler.testkit.Ledger;
import io.github.liquidscheduler.testkit.Playback;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.statistics.Statistics;

/** Reservations beside pre-emption, queues, sizes, shared GPUs and moves. */
class ReservationOrderLaws {

  private static final List<SchedulingPolicy> POLICIES =
      List.of(
          Policies.fifo(),
          Policies.bestEffortFifo(),
          Policies.fairShare(),
          Policies.priority(),
          Policies.shortestJobFirst(),
          Policies.shortestRemainingTimeFirst(),
          Policies.leastAttainedService(List.of(Duration.ofSeconds(90), Duration.ofSeconds(400))));

  @Provide
  Arbitrary<EventSequence> sequences() {
    return EventSequence.sequences(
            Arbitraries.oneOf(JobDraft.any(), JobDraft.ofOneRole(), JobDraft.thatMayShare()),
            POLICIES)
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
                    rules, rules.forJobsOf(2), rules.holdingAfter(Duration.ofSeconds(30), 1)));
  }

  /** Has each event, as it is possible by then, be announced before it is taken. */
  private static void play(
      BackfillWorld world,
      EventSequence sequence,
      Playback playback,
      Consumer<ClusterEvent> before,
      Consumer<Playback.Turn> after) {
    world
        .queues()
        .map(tree -> new ClusterEvent.QueuesChanged(playback.now(), tree))
        .ifPresent(event -> take(playback, event, before, after));
    for (ClusterStep step : sequence.steps()) {
      playback.event(step).ifPresent(event -> take(playback, event, before, after));
    }
  }

  private static void take(
      Playback playback,
      ClusterEvent event,
      Consumer<ClusterEvent> before,
      Consumer<Playback.Turn> after) {
    before.accept(event);
    after.accept(playback.take(event));
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void copiesAndRestoredSchedulersDecideTheSameAndNothingIsOvercommitted(
      @ForAll BackfillWorld world,
      @ForAll("sequences") EventSequence sequence,
      @ForAll("rules") Backfill rules,
      @ForAll("bounds") int starts) {
    LiquidScheduler first =
        world
            .options(sequence, sequence.cluster())
            .backfill(rules)
            .startsPerEvent(starts)
            .searchesPerEvent(starts)
            .build();
    Ledger ledger = new Ledger(sequence.cluster());
    List<Scheduler> others = new ArrayList<>();

    play(
        world,
        sequence,
        EventSequence.playback(first),
        event -> {
          others.clear();
          others.add(first.copy());
          others.add(
              world
                  .options(sequence, first.view().topology())
                  .backfill(rules)
                  .startsPerEvent(starts)
                  .searchesPerEvent(starts)
                  .restore(first.snapshot()));
        },
        turn -> {
          for (Scheduler other : others) {
            assertThat(other.on(turn.event())).isEqualTo(turn.decisions());
            assertThat(other.snapshot()).isEqualTo(first.snapshot());
          }
          ledger.enter(turn.event(), turn.decisions());
        });
  }

  /** Running jobs may grow whenever it pays, and promises get shorter where others start. */
  @Property(edgeCases = EdgeCasesMode.NONE)
  void nobodyStartsBeforeTheNextWakeUp(
      @ForAll("woken") BackfillWorld world,
      @ForAll("sequences") EventSequence sequence,
      @ForAll("rules") Backfill rules) {
    LiquidScheduler scheduler = world.options(sequence, sequence.cluster()).backfill(rules).build();

    play(
        world,
        sequence,
        EventSequence.playback(scheduler),
        event -> {},
        turn -> WakeUps.requireNoStartBeforeTheNext(scheduler, turn.event().at()));
  }

  @Provide
  Arbitrary<BackfillWorld> woken() {
    return Arbitraries.of(BackfillWorld.class)
        .filter(world -> world != BackfillWorld.FASTER_GPUS && world != BackfillWorld.PROMISES);
  }

  @Provide
  Arbitrary<Integer> bounds() {
    return Arbitraries.of(1, 2, Integer.MAX_VALUE);
  }

  /**
   * Where all jobs are of one queue, and all may hold reservations, nobody comes before others, so
   * that every promise holds.
   */
  @Property(edgeCases = EdgeCasesMode.NONE)
  void withExactDurationsQuotasBreakNoPromise(
      @ForAll("ofOneQueue") EventSequence sequence,
      @ForAll("rulesForAll") Backfill rules,
      @ForAll @IntRange(min = 1, max = 12) int limit) {
    LiquidScheduler scheduler = sequence.options().backfill(rules).build();
    Map<JobId, Instant> promised = new LinkedHashMap<>();
    ExactRun run =
        new ExactRun(
            scheduler,
            (start, now, end) ->
                assertThat(now).isBeforeOrEqualTo(promised.getOrDefault(start.job(), now)));
    QueueQuota quota = QueueQuota.guaranteed(1).withLimit(limit);
    run.on(
        new ClusterEvent.QueuesChanged(
            run.now(),
            QueueTree.of(
                QueueSpec.named("lab").with(QuotaResource.GPUS, quota),
                QueueSpec.named("default").in("lab"))));

    for (ClusterStep step : sequence.steps()) {
      run.submit(step);
      scheduler.reservedStarts().forEach(promised::putIfAbsent);
    }
    while (run.goOn(Instant.MAX)) {
      scheduler.reservedStarts().forEach(promised::putIfAbsent);
    }
    Statistics.label("promises").collect(Math.min(promised.size(), 8));
  }

  @Provide
  Arbitrary<EventSequence> ofOneQueue() {
    return EventSequence.sequences(
            JobDraft.any().map(ReservationOrderLaws::inDefaultQueue),
            List.of(Policies.bestEffortFifo()))
        .map(EventSequence::immediate);
  }

  @Provide
  Arbitrary<Backfill> rulesForAll() {
    return rules().filter(rules -> rules.leastGpus() == 0);
  }

  private static JobDraft inDefaultQueue(JobDraft draft) {
    return new JobDraft(
        draft.roles(),
        draft.groups(),
        draft.fewer(),
        draft.constraints(),
        draft.priority(),
        draft.preemptible(),
        draft.seconds(),
        draft.sharing(),
        QueueName.of("default"),
        draft.utilization());
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void boundedEventsDecideInAllWhatOneDecides(
      @ForAll BackfillWorld world,
      @ForAll("sequences") EventSequence sequence,
      @ForAll("rules") Backfill rules,
      @ForAll @IntRange(min = 1, max = 3) int starts,
      @ForAll @IntRange(min = 1, max = 3) int searches) {
    LiquidScheduler few =
        world
            .options(sequence, sequence.cluster())
            .backfill(rules)
            .startsPerEvent(starts)
            .searchesPerEvent(searches)
            .build();
    Scheduler all =
        new WokenAtOnce(world.options(sequence, sequence.cluster()).backfill(rules).build());

    play(
        world,
        sequence,
        new Playback(new WokenAtOnce(few), new StalePlans()),
        event -> {},
        turn ->
            assertThat(turn.decisions())
                .as("after %s", turn.event())
                .isEqualTo(all.on(turn.event())));
  }
}
