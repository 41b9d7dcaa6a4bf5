package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.testkit.ClusterStep;
import io.github.liquidscheduler.testkit.JobDraft;
import io.github.liquidscheduler.testkit.Playback;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
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

/** Reservations are kept, whatever the cluster, and whoever decides goes on where another was. */
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
  void whoRunsAsLongAsExpectedStartsNobodyLaterThanPromised(
      @ForAll("inOrder") EventSequence sequence,
      @ForAll("rules") Backfill rules,
      @ForAll("placers") Placer placer) {
    ExactRun run = new ExactRun(sequence.options().placer(placer).backfill(rules).build());

    for (ClusterStep step : sequence.steps()) {
      run.submit(step);
    }
    run.goOnUntil(Instant.MAX);

    assertThat(run.scheduler.waiting()).isEmpty();
    Statistics.label("promises").collect(Math.min(run.promised.size(), 8));
  }

  /** Jobs that run exactly as long as expected, on a cluster where nothing else happens. */
  private static final class ExactRun {

    private static final Comparator<Map.Entry<JobId, Instant>> SOONEST =
        Map.Entry.comparingByValue();

    private final LiquidScheduler scheduler;
    private final Map<JobId, Instant> ends = new LinkedHashMap<>();
    private final Map<JobId, Instant> promised = new LinkedHashMap<>();
    private Instant now = Instant.EPOCH;
    private int submitted;

    ExactRun(LiquidScheduler scheduler) {
      this.scheduler = scheduler;
    }

    void submit(ClusterStep step) {
      Instant at = now.plusSeconds(step.seconds());
      goOnUntil(at);
      now = at;
      JobSpec job =
          step.job().named("j" + submitted++).toBuilder()
              .parallelism(Parallelism.fixed(step.job().roles().getFirst().count()))
              .expectedWork(ExpectedWork.ofDuration(Duration.ofSeconds(1 + step.pick() % 300)))
              .build();
      on(new ClusterEvent.JobSubmitted(at, job));
    }

    /** Lets everything happen before an instant; at each, first jobs end. */
    void goOnUntil(Instant end) {
      for (Optional<Instant> next = next(); next.filter(end::isAfter).isPresent(); next = next()) {
        now = next.get();
        List<JobId> over = new ArrayList<>();
        ends.entrySet().stream()
            .sorted(SOONEST)
            .filter(each -> each.getValue().equals(now))
            .forEach(each -> over.add(each.getKey()));
        for (JobId job : over) {
          ends.remove(job);
          on(new ClusterEvent.JobFinished(now, job));
        }
        if (over.isEmpty()) {
          on(new ClusterEvent.TimePassed(now));
        }
      }
    }

    private Optional<Instant> next() {
      Optional<Instant> end = ends.values().stream().min(Comparator.naturalOrder());
      Optional<Instant> wakeUp = scheduler.nextWakeUp().filter(now::isBefore);
      return wakeUp.isPresent() && end.filter(wakeUp.get()::isAfter).isEmpty() ? wakeUp : end;
    }

    private void on(ClusterEvent event) {
      for (Decision decision : scheduler.on(event)) {
        if (decision instanceof Decision.Start start) {
          assertThat(now).isBeforeOrEqualTo(promised.getOrDefault(start.job(), now));
          Duration length =
              scheduler
                  .job(start.job())
                  .orElseThrow()
                  .expectedWork()
                  .orElseThrow()
                  .duration()
                  .orElseThrow();
          ends.put(start.job(), now.plus(length));
        }
      }
      for (JobId job : scheduler.waiting()) {
        scheduler
            .reservedStart(job)
            .ifPresent(
                start -> {
                  assertThat(start).isBeforeOrEqualTo(promised.getOrDefault(job, start));
                  promised.putIfAbsent(job, start);
                });
        assertThat(scheduler.status(job)).get().isInstanceOf(JobStatus.Waiting.class);
      }
    }
  }
}
