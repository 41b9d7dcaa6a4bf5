package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.testkit.JobDraft;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.statistics.Statistics;

/**
 * Policies that block, and policies that order queues, in trees of every form of reclaim, with
 * grace periods, failures, lost nodes and changes of the tree.
 */
class OrdersInTreesLaws {

  private static final List<SchedulingPolicy> BLOCKING =
      List.of(
          Policies.fifo(),
          Policies.fairShare(Policies.fifo(), Map.of(QueueName.of("research"), 2.5)));

  private static final List<SchedulingPolicy> POLICIES =
      List.of(
          BLOCKING.getFirst(),
          BLOCKING.getLast(),
          new BlockingPriority(),
          Policies.fairShare(),
          Policies.fairShare(
              Policies.shortestJobFirst(),
              Map.of(QueueName.of("lab"), 0.5, QueueName.of("default"), 3.0)));

  @Provide
  Arbitrary<QueueLaws.Sequence> sequences() {
    return sequences(POLICIES);
  }

  @Provide
  Arbitrary<QueueLaws.Sequence> blocking() {
    return sequences(BLOCKING);
  }

  private static Arbitrary<QueueLaws.Sequence> sequences(List<SchedulingPolicy> policies) {
    return Combinators.combine(
            Arbitraries.oneOf(QueueLaws.sequences(JobDraft.any()), QueueRetryLaws.deep()),
            Arbitraries.of(policies),
            Arbitraries.of(Reclaiming.class))
        .as(
            (any, policy, form) ->
                new QueueLaws.Sequence(
                    new EventSequence(
                        any.events().cluster(),
                        policy,
                        any.events().rules(),
                        Optional.empty(),
                        any.events().steps()),
                    any.trees().stream()
                        .map(tree -> tree.decayedUsage().isPresent() ? tree : tree.with(form))
                        .toList()));
  }

  /** Jobs do not move here: whether a search for moves ends early depends on the placer. */
  @Property(edgeCases = EdgeCasesMode.NONE)
  void whoTriesEverybodyDecidesTheSame(@ForAll("sequences") QueueLaws.Sequence sequence) {
    EventSequence still = QueueLaws.moving(sequence.events(), 0);
    LiquidScheduler scheduler = still.scheduler();
    LiquidScheduler asksAll = still.options().placer(new Uncounted(Placers.bestFit())).build();

    QueueLaws.play(
        sequence,
        scheduler,
        event -> {
          List<Decision> decisions = scheduler.on(event);

          assertThat(asksAll.on(event)).as("after %s", event).isEqualTo(decisions);
        });
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void whoIsRestoredOrCopiedBeforeEachEventDecidesTheSame(
      @ForAll("sequences") QueueLaws.Sequence sequence) {
    LiquidScheduler scheduler = sequence.scheduler();

    QueueLaws.play(
        sequence,
        scheduler,
        event -> {
          Scheduler restored =
              sequence.events().options(scheduler.view().topology()).restore(scheduler.snapshot());
          Scheduler copy = scheduler.copy();

          List<Decision> decisions = scheduler.on(event);

          assertThat(restored.on(event)).as("restored before %s", event).isEqualTo(decisions);
          assertThat(copy.on(event)).as("copied before %s", event).isEqualTo(decisions);
          assertThat(restored.snapshot()).isEqualTo(scheduler.snapshot());
          assertThat(restored.waiting()).isEqualTo(scheduler.waiting());
          assertThat(restored.nextWakeUp()).isEqualTo(scheduler.nextWakeUp());
        });
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void everyJobThatWouldStartIsTried(@ForAll("sequences") QueueLaws.Sequence sequence) {
    LiquidScheduler scheduler = sequence.scheduler();

    QueueLaws.play(
        sequence,
        scheduler,
        event -> {
          scheduler.on(event);
          if (scheduler.nextWakeUp().filter(event.at()::equals).isEmpty()) {
            Scheduler forgetful =
                sequence
                    .events()
                    .options(scheduler.view().topology())
                    .restore(scheduler.snapshot());
            assertThat(forgetful.on(new ClusterEvent.TimePassed(event.at()))).isEmpty();
            assertThat(scheduler.on(new ClusterEvent.TimePassed(event.at()))).isEmpty();
          }
        });
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void shortEventsDecideAsLongOnes(
      @ForAll("sequences") QueueLaws.Sequence sequence,
      @ForAll @IntRange(min = 1, max = 3) int starts,
      @ForAll @IntRange(min = 1, max = 3) int searches) {
    LiquidScheduler few =
        sequence.events().options().startsPerEvent(starts).searchesPerEvent(searches).build();
    Scheduler all = new WokenAtOnce(sequence.scheduler());

    QueueLaws.play(
        sequence,
        few,
        event -> {
          List<Decision> decisions = new WokenAtOnce(few).on(event);

          assertThat(decisions).as("after %s", event).isEqualTo(all.on(event));
        });
  }

  /** A book of submissions, which finds out who would have had to start first. */
  private static final class Arrivals {

    private final Map<JobId, Integer> numbers = new HashMap<>();
    private final Map<JobId, QueueName> queues = new HashMap<>();
    private int behind;

    void enter(ClusterEvent event) {
      if (event instanceof ClusterEvent.JobSubmitted submitted) {
        numbers.put(submitted.job(), numbers.size());
        enter(submitted.spec());
      } else if (event instanceof ClusterEvent.JobUpdated updated) {
        enter(updated.spec());
      }
    }

    private void enter(JobSpec job) {
      queues.put(job.id(), job.queue());
    }

    /** Requires that nobody who may start waits before a job of its queue that has started. */
    void require(List<Decision> decisions, LiquidScheduler scheduler) {
      Set<JobId> stopped = new HashSet<>();
      decisions.stream()
          .filter(Decision.Preempt.class::isInstance)
          .forEach(decision -> stopped.add(((Decision.Preempt) decision).job()));
      for (Decision decision : decisions) {
        if (decision instanceof Decision.Start start) {
          scheduler.waiting().stream()
              .filter(job -> !stopped.contains(job) && !isHeld(scheduler, job))
              .forEach(job -> require(start.job(), job));
        }
      }
    }

    private static boolean isHeld(LiquidScheduler scheduler, JobId job) {
      return scheduler.explain(job).queue().expectedStart().isPresent();
    }

    private int number(JobId job) {
      return Objects.requireNonNull(numbers.get(job));
    }

    private void require(JobId started, JobId waiting) {
      boolean isBehind = number(started) > number(waiting);
      if (Objects.equals(queues.get(started), queues.get(waiting))) {
        assertThat(isBehind).as("%s started before %s", started, waiting).isFalse();
      } else if (isBehind) {
        behind++;
      }
    }
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void noJobStartsBeforeTheHeadOfItsQueueAndOtherQueuesGoOn(
      @ForAll("blocking") QueueLaws.Sequence sequence) {
    LiquidScheduler scheduler = sequence.scheduler();
    Arrivals arrivals = new Arrivals();

    QueueLaws.play(
        sequence,
        scheduler,
        event -> {
          arrivals.enter(event);
          arrivals.require(scheduler.on(event), scheduler);
        });
    Statistics.collect(arrivals.behind > 0 ? "other queues go on" : "nobody is passed");
  }
}
