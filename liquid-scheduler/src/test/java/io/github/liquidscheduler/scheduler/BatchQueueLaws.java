package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.KnownLoads;
import io.github.liquidscheduler.placement.colocation.PredictedSlowdownRule;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.PlanCertificate;
import io.github.liquidscheduler.planning.PlanRequest;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.scheduler.eviction.QuotaPlacer;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.testkit.ClusterStep;
import io.github.liquidscheduler.testkit.JobDraft;
import io.github.liquidscheduler.testkit.Ledger;
import io.github.liquidscheduler.testkit.Playback;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;

/**
 * Queues in a tree whose jobs wait for plans: the plans are late, repeated, wrong, beyond quotas,
 * or right.
 */
class BatchQueueLaws {

  private static final PlanCertificate CERTIFICATE = new PlanCertificate(0, 0, 0, 0, List.of());
  private static final Colocation COLOCATION =
      Colocation.builder(PredictedSlowdownRule.of(new KnownLoads(0.1)))
          .profiles(KnownLoads::profile)
          .build();
  private static final BatchWindow SHORT = BatchWindow.of(Duration.ofSeconds(7));
  private static final List<BatchWindow> WINDOWS =
      List.of(
          BatchWindow.of(Duration.ZERO),
          SHORT.planTimeout(Duration.ofSeconds(20)),
          SHORT.maxJobs(2).planTimeout(Duration.ofSeconds(1)),
          SHORT.queuedGpuFraction(0.5).maxPlanSize(3),
          BatchWindow.of(Duration.ZERO).bypassLimit(1),
          SHORT.maxJobs(4).bypassLimit(2));

  /** Returns sequences whose queues count all GPUs alike, as the ledger does. */
  @Provide
  Arbitrary<QueueLaws.Sequence> sequencesWithLimits() {
    return inWindows(
        QueueLaws.sequences(JobDraft.any()), Reclaiming.COMPUTED_SHARES, Reclaiming.NEVER);
  }

  /** Returns sequences with trees of every form. */
  @Provide
  static Arbitrary<QueueLaws.Sequence> sequences() {
    return inWindows(
        Arbitraries.oneOf(
            QueueLaws.sequences(JobDraft.any()), QueueLaws.sequencesByModel(JobDraft.any())),
        Reclaiming.values());
  }

  private static Arbitrary<QueueLaws.Sequence> inWindows(
      Arbitrary<QueueLaws.Sequence> sequences, Reclaiming... forms) {
    return Combinators.combine(sequences, Arbitraries.of(WINDOWS), Arbitraries.of(forms))
        .as(BatchQueueLaws::inWindows);
  }

  private static QueueLaws.Sequence inWindows(
      QueueLaws.Sequence sequence, BatchWindow window, Reclaiming form) {
    EventSequence events = sequence.events();
    return new QueueLaws.Sequence(
        new EventSequence(
            events.cluster(),
            events.policy(),
            events.rules().moving(events.steps().size() % 3),
            Optional.of(window),
            events.steps().stream().map(BatchQueueLaws::orPlan).toList()),
        sequence.trees().stream().map(tree -> tree.with(form)).toList());
  }

  private static ClusterStep orPlan(ClusterStep step) {
    return step.pick() % 5 == 0
        ? new ClusterStep(ClusterStep.Kind.PLAN, step.pick() / 5, step.seconds(), step.job())
        : step;
  }

  /** Has each event, as it is possible by then, be taken with plans that are often wrong. */
  static void play(
      QueueLaws.Sequence sequence,
      LiquidScheduler scheduler,
      Runnable before,
      Consumer<Playback.Turn> after) {
    PlanStorm plans = new PlanStorm(scheduler, COLOCATION);
    Playback playback = new Playback(scheduler, plans);
    for (int step = 0; step < sequence.events().steps().size(); step++) {
      Optional<ClusterEvent> queues =
          sequence
              .treeBefore(step)
              .map(tree -> new ClusterEvent.QueuesChanged(playback.now(), tree));
      before.run();
      plans.take(queues).ifPresent(after);
      before.run();
      plans.take(playback.event(sequence.events().steps().get(step))).ifPresent(after);
    }
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void whatRunsAndWhatIsAskedForStaysWithinLimits(
      @ForAll("sequencesWithLimits") QueueLaws.Sequence sequence) {
    QueueLedger ledger = new QueueLedger();
    Ledger cluster = new Ledger(sequence.events().cluster());
    play(
        sequence,
        sequence.scheduler(),
        () -> {},
        turn -> {
          ledger.enter(turn.event(), turn.decisions());
          cluster.enter(turn.event(), turn.decisions());
          turn.decisions().stream()
              .filter(Decision.RequestPlan.class::isInstance)
              .forEach(asked -> ledger.requireAsked(((Decision.RequestPlan) asked).request()));
        });
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void whatIsLentAndGivenBackFollowsTheRules(@ForAll("lending") QueueLaws.Sequence sequence) {
    LendingLedger ledger = new LendingLedger();
    Ledger cluster = new Ledger(sequence.events().cluster());
    play(
        sequence,
        sequence.scheduler(),
        () -> {},
        turn -> {
          ledger.enter(turn.event(), turn.decisions());
          cluster.enter(turn.event(), turn.decisions());
        });
  }

  @Provide
  Arbitrary<QueueLaws.Sequence> lending() {
    return Combinators.combine(new LendingLaws().sequences(), Arbitraries.of(WINDOWS))
        .as(BatchQueueLaws::inWindows);
  }

  private static QueueLaws.Sequence inWindows(QueueLaws.Sequence sequence, BatchWindow window) {
    return inWindows(sequence, window, sequence.trees().getFirst().reclaiming());
  }

  @Tag("slow")
  @Property(edgeCases = EdgeCasesMode.NONE)
  void copiesAndRestoredSchedulersDecideTheSame(@ForAll("sequences") QueueLaws.Sequence sequence) {
    LiquidScheduler first = sequence.scheduler();
    List<Scheduler> others = new ArrayList<>();
    play(
        sequence,
        first,
        () -> {
          ClusterTopology cluster = first.view().topology();
          others.clear();
          others.add(first.copy());
          others.add(sequence.events().options(cluster).restore(first.snapshot()));
        },
        turn ->
            others.forEach(
                other -> {
                  assertThat(other.on(turn.event()))
                      .as("after %s", turn.event())
                      .isEqualTo(turn.decisions());
                  assertThat(other.nextWakeUp()).isEqualTo(first.nextWakeUp());
                  ShortEventLaws.requireAlike(other, first);
                  assertThat(other.waiting()).isEqualTo(first.waiting());
                }));
  }

  /** With plans that start nobody and come at once all jobs take the ordinary way. */
  @Property(edgeCases = EdgeCasesMode.NONE)
  void noJobWaitsThatFitsOnceItsPlanHasLeftItOut(
      @ForAll("sequencesWithLimits") QueueLaws.Sequence sequence) {
    LiquidScheduler scheduler =
        sequence.events().options().batch(BatchWindow.of(Duration.ZERO)).build();
    QueueLaws.play(
        sequence,
        scheduler,
        event -> {
          answerAll(scheduler, event, scheduler.on(event));
          requireNobodyFits(scheduler.state().jobs());
        });
  }

  private static void answerAll(
      LiquidScheduler scheduler, ClusterEvent event, List<Decision> decisions) {
    List<Decision> last = decisions;
    for (int turn = 0; turn < 100; turn++) {
      Optional<PlanRequest> request =
          last.stream()
              .filter(Decision.RequestPlan.class::isInstance)
              .map(asked -> ((Decision.RequestPlan) asked).request())
              .findFirst();
      if (request.isPresent()) {
        last =
            scheduler.on(
                new ClusterEvent.PlanProposed(
                    event.at(),
                    new BatchPlan(
                        request.get().number(), List.of(), List.of(), List.of(), CERTIFICATE)));
      } else if (scheduler.nextWakeUp().filter(event.at()::equals).isPresent()) {
        last = scheduler.on(new ClusterEvent.TimePassed(event.at()));
      } else {
        return;
      }
    }
    throw new AssertionError("the scheduler never comes to rest after " + event);
  }

  private static void requireNobodyFits(JobTable jobs) {
    List<JobEntry> candidates = jobs.waiting().inOrder();
    candidates.removeIf(job -> jobs.waiting().hasToWaitForTurn(job));
    for (JobEntry job : candidates) {
      assertThat(
              QuotaPlacer.of(Placers.bestFit(), jobs.quotas(), job)
                  .place(jobs.cluster(), job.job().atLeastSize()))
          .as("%s", job.id())
          .isEmpty();
    }
  }
}
