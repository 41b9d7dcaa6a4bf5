package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.queue.QueuePreemption;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.queue.Victims;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.testkit.JobDraft;
import io.github.liquidscheduler.testkit.Ledger;
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

/** Queues that lend each other quota give back what they borrow, and lose nothing else. */
class LendingLaws {

  private static final double NO_LIMIT = Double.POSITIVE_INFINITY;

  private static final List<SchedulingPolicy> POLICIES =
      List.of(
          Policies.priority(),
          Policies.bestEffortFifo(),
          Policies.shortestJobFirst(),
          Policies.fifo(),
          Policies.fairShare());

  @Provide
  Arbitrary<QueueLaws.Sequence> sequences() {
    return lending();
  }

  /** Returns sequences on trees that lend. */
  static Arbitrary<QueueLaws.Sequence> lending() {
    return Combinators.combine(EventSequence.sequences(jobs(), POLICIES), trees().list().ofSize(1))
        .as(
            (events, trees) ->
                new QueueLaws.Sequence(
                    new EventSequence(
                        events.cluster(),
                        events.policy(),
                        events.rules(),
                        Optional.empty(),
                        events.steps()),
                    trees));
  }

  /** Returns jobs of which most are of 1 to 3 tasks that fit wherever a GPU is free. */
  private static Arbitrary<JobDraft> jobs() {
    return Combinators.combine(JobDraft.any(), Arbitraries.of(0, 1, 1, 2, 3))
        .as((draft, tasks) -> tasks == 0 ? draft : plain(draft, tasks));
  }

  private static JobDraft plain(JobDraft draft, int tasks) {
    return new JobDraft(
        List.of(new TaskRole("worker", tasks, ResourceRequest.ofGpus(1))),
        List.of(),
        0,
        new JobDraft.Constraints(TopologyConstraint.NONE, List.of(), false),
        draft.priority(),
        true,
        draft.seconds(),
        new Sharing.Exclusive(),
        draft.queue(),
        draft.utilization());
  }

  private static Arbitrary<QueueTree> trees() {
    return Combinators.combine(
            queue("default"),
            queue("research"),
            queue("spare"),
            queue("lab"),
            queue("all"),
            Arbitraries.of(Reclaiming.LENT_QUOTA, Reclaiming.DOMINANT_SHARES))
        .flatAs(
            (one, two, three, lab, all, rules) ->
                Arbitraries.of(
                    QueueTree.of(all, one.in("all"), two.in("all"), three.in("all")).with(rules),
                    QueueTree.of(all, lab.in("all"), one.in("lab"), two.in("lab"), three.in("all"))
                        .with(rules),
                    QueueTree.of(all, one.in("all"), two.in("lab"), lab.in("all"), three.in("lab"))
                        .with(rules),
                    QueueTree.of(one, two.in("lab"), three.in("lab"), lab).with(rules)));
  }

  private static Arbitrary<QueueSpec> queue(String name) {
    return Combinators.combine(
            Arbitraries.of(0, 1, 2, 3),
            Arbitraries.of(0.0, 1.0, 4.0, NO_LIMIT, NO_LIMIT, NO_LIMIT),
            Arbitraries.of(0.0, 0.5, 1.0, 2.0),
            Arbitraries.of(0.0, 2.0, NO_LIMIT, NO_LIMIT),
            preemptions(),
            Arbitraries.of(true, true, false))
        .as(
            (guaranteed, more, weight, lending, preemption, bypass) -> {
              QueueQuota quota = new QueueQuota(guaranteed, guaranteed + more, weight, lending);
              QueueSpec queue =
                  QueueSpec.named(name).with(QuotaResource.GPUS, quota).with(preemption);
              return bypass ? queue : queue.withoutBypass();
            });
  }

  private static Arbitrary<QueuePreemption> preemptions() {
    return Combinators.combine(
            Arbitraries.of(Victims.class).filter(own -> own != Victims.ANY),
            Arbitraries.of(Victims.ANY, Victims.ANY, Victims.LOWER_PRIORITY, Victims.NEVER),
            Arbitraries.of(-1, 0, 1, 9).optional())
        .as(QueuePreemption::new);
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void startsStayWithinLentQuotaAndEachEvictionFollowsItsRule(
      @ForAll("sequences") QueueLaws.Sequence sequence) {
    LiquidScheduler scheduler = sequence.scheduler();
    LendingLedger ledger = new LendingLedger();
    Ledger cluster = new Ledger(sequence.events().cluster());

    QueueLaws.play(
        sequence,
        scheduler,
        event -> {
          List<Decision> decisions = scheduler.on(event);
          ledger.enter(event, decisions);
          cluster.enter(event, decisions);
        });
    Statistics.collect(ledger.evictions() > 0 ? "somebody gives back" : "nobody does");
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void aSchedulerRestoredBeforeEachEventDecidesTheSame(
      @ForAll("sequences") QueueLaws.Sequence sequence) {
    LiquidScheduler first = sequence.scheduler();

    QueueLaws.play(
        sequence,
        first,
        event -> {
          Scheduler restored =
              sequence.events().options(first.view().topology()).restore(first.snapshot());
          Scheduler copy = first.copy();

          List<Decision> decisions = first.on(event);

          assertThat(restored.on(event)).isEqualTo(decisions);
          assertThat(copy.on(event)).isEqualTo(decisions);
          assertThat(restored.snapshot()).isEqualTo(first.snapshot());
        });
  }

  /** While nothing else happens no two jobs stop each other, and who is owed something has it. */
  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void nobodyTakesBackInTurns(@ForAll("sequences") QueueLaws.Sequence sequence) {
    LiquidScheduler scheduler = sequence.scheduler();

    QueueLaws.play(
        sequence,
        scheduler,
        event -> {
          List<Decision> decisions = scheduler.on(event);
          Scheduler quiet = scheduler.copy();
          List<Stop> stops = new ArrayList<>(Stop.of(decisions));
          for (int turn = 0; turn < 40 && isDueSoon(quiet, event.at()); turn++) {
            stops.addAll(
                Stop.of(quiet.on(new ClusterEvent.TimePassed(quiet.nextWakeUp().orElseThrow()))));
          }
          assertThat(stops).as("after %s", event).noneMatch(stop -> stops.contains(stop.reverse()));
          assertThat(isDueSoon(quiet, event.at())).as("goes on after %s", event).isFalse();
        });
  }

  private static boolean isDueSoon(Scheduler scheduler, Instant event) {
    return scheduler.nextWakeUp().filter(due -> due.isBefore(event.plusMillis(1))).isPresent();
  }

  /** One job stopped for another. */
  private record Stop(JobId victim, JobId winner) {

    static List<Stop> of(List<Decision> decisions) {
      List<Stop> stops = new ArrayList<>();
      for (Decision decision : decisions) {
        if (decision instanceof Decision.Preempt stop) {
          switch (stop.why()) {
            case Reason.Reclaimed why -> stops.add(new Stop(stop.job(), why.winner()));
            case Reason.PreemptedByPriority why -> stops.add(new Stop(stop.job(), why.winner()));
            default -> {}
          }
        }
      }
      return stops;
    }

    Stop reverse() {
      return new Stop(winner, victim);
    }
  }

  @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
  void nothingHappensWhereNothingHasChangedOrIsDue(
      @ForAll("sequences") QueueLaws.Sequence sequence) {
    LiquidScheduler scheduler = sequence.scheduler();

    QueueLaws.play(
        sequence,
        scheduler,
        event -> {
          scheduler.on(event);
          if (scheduler.nextWakeUp().filter(event.at()::equals).isEmpty()) {
            assertThat(scheduler.on(new ClusterEvent.TimePassed(event.at()))).isEmpty();
          }
        });
  }
}
