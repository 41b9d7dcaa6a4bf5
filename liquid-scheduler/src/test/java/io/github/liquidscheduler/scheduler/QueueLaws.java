package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.explanation.Counterfactual;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.queue.DecayedUsage;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.testkit.ClusterStep;
import io.github.liquidscheduler.testkit.JobDraft;
import io.github.liquidscheduler.testkit.Ledger;
import io.github.liquidscheduler.testkit.Playback;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Queues in a tree hold no more than they may, and take back no more than is due to them. */
class QueueLaws {

  private static final double NO_LIMIT = Double.POSITIVE_INFINITY;

  static final List<SchedulingPolicy> POLICIES =
      List.of(
          Policies.bestEffortFifo(),
          Policies.priority(),
          Policies.shortestJobFirst(),
          Policies.shortestRemainingTimeFirst(),
          Policies.leastAttainedService(List.of(Duration.ofSeconds(90), Duration.ofSeconds(400))),
          Policies.fifo(),
          Policies.fairShare(),
          Policies.fairShare(Policies.fifo(), Map.of(QueueName.of("research"), 2.5)),
          new BlockingPriority());

  /** A sequence of events, and the trees of queues that come before and among them. */
  record Sequence(EventSequence events, List<QueueTree> trees) {

    LiquidScheduler scheduler() {
      return events.scheduler();
    }

    /** Returns a tree that comes before this step, if one does. */
    Optional<QueueTree> treeBefore(int step) {
      return step % 25 == 0 && !trees.isEmpty()
          ? Optional.of(trees.get(step / 25 % trees.size()))
          : Optional.empty();
    }
  }

  @Provide
  Arbitrary<Sequence> sequences() {
    return sequences(JobDraft.any(), withHistories(trees()));
  }

  /** Returns sequences with trees under which shares do not change while time passes. */
  static Arbitrary<Sequence> sequences(Arbitrary<JobDraft> jobs) {
    return sequences(jobs, trees());
  }

  /** Returns sequences with trees in which some queues count GPUs of one model as well. */
  static Arbitrary<Sequence> sequencesByModel(Arbitrary<JobDraft> jobs) {
    return sequences(jobs, trees(QueueLaws::queueByModel));
  }

  private static Arbitrary<Sequence> sequences(
      Arbitrary<JobDraft> jobs, Arbitrary<QueueTree> trees) {
    return Combinators.combine(
            EventSequence.sequences(jobs, POLICIES),
            trees.list().ofMinSize(1).ofMaxSize(3),
            Arbitraries.of(0, 0, 3))
        .as((events, many, moves) -> new Sequence(moving(events, moves), many));
  }

  /** Returns the events under rules that let this number of jobs move for another. */
  static EventSequence moving(EventSequence events, int moves) {
    return new EventSequence(
        events.cluster(),
        events.policy(),
        events.rules().moving(moves),
        Optional.empty(),
        events.steps());
  }

  @Provide
  Arbitrary<QueueTree> treesThatMayNotLend() {
    return trees(
        name ->
            Combinators.combine(queue(name), Arbitraries.of(0.0, 1.0, 2.0, NO_LIMIT))
                .as(QueueLaws::lendingAtMost));
  }

  private static QueueSpec lendingAtMost(QueueSpec queue, double most) {
    QueueQuota quota = queue.quotas().get(QuotaResource.GPUS);
    return quota == null ? queue : queue.with(QuotaResource.GPUS, quota.withLendingLimit(most));
  }

  /** Returns trees of three queues, in some of which two are in a fourth. */
  static Arbitrary<QueueTree> trees() {
    return trees(QueueLaws::queue);
  }

  private static Arbitrary<QueueTree> trees(Function<String, Arbitrary<QueueSpec>> queue) {
    return Combinators.combine(
            queue.apply("default"),
            queue.apply("research"),
            queue.apply("spare"),
            queue.apply("lab"))
        .flatAs(
            (one, two, three, lab) ->
                Arbitraries.of(
                    QueueTree.of(one, two, three),
                    QueueTree.of(three, two, one),
                    QueueTree.of(lab, one.in("lab"), two.in("lab"), three),
                    QueueTree.of(one, two.in("lab"), three.in("lab"), lab)));
  }

  /** Returns the trees, of which half count what queues have used of late. */
  static Arbitrary<QueueTree> withHistories(Arbitrary<QueueTree> trees) {
    Arbitrary<Optional<DecayedUsage>> histories =
        Arbitraries.of(
            Optional.empty(),
            Optional.empty(),
            Optional.of(DecayedUsage.ofHalfLife(Duration.ofSeconds(60))),
            Optional.of(new DecayedUsage(Duration.ofHours(1), 0.5)));
    return Combinators.combine(trees, histories)
        .as((tree, history) -> history.map(tree::withDecayedUsage).orElse(tree));
  }

  private static Arbitrary<QueueSpec> queue(String name) {
    return Combinators.combine(
            Arbitraries.of(0, 0, 1, 2, 4, 8),
            Arbitraries.of(0.0, 1.0, 4.0, NO_LIMIT, NO_LIMIT),
            Arbitraries.of(0.0, 1.0, 1.0, 2.0),
            Arbitraries.of(0, 0, 1),
            Arbitraries.of(true, false))
        .as(
            (guaranteed, more, weight, priority, counted) -> {
              QueueQuota quota =
                  QueueQuota.guaranteed(guaranteed).withLimit(guaranteed + more).withWeight(weight);
              QueueSpec queue = QueueSpec.named(name).withPriority(priority);
              return counted ? queue.with(QuotaResource.GPUS, quota) : queue;
            });
  }

  private static Arbitrary<QueueSpec> queueByModel(String name) {
    return Combinators.combine(
            queue(name),
            Arbitraries.of(JobDraft.MODELS),
            Arbitraries.of(0, 1, 2, 4),
            Arbitraries.of(0.0, 0.0, 1.0, NO_LIMIT),
            Arbitraries.of(true, true, false))
        .as(
            (queue, model, guaranteed, more, counted) -> {
              QueueQuota quota = QueueQuota.guaranteed(guaranteed).withLimit(guaranteed + more);
              return counted ? queue.with(QuotaResource.gpus(model), quota) : queue;
            });
  }

  private static Arbitrary<QueueSpec> queueOfSeveral(String name) {
    return Combinators.combine(
            queue(name),
            Arbitraries.of(0.0, 0.001, 4.0, 100.0),
            Arbitraries.of(0L, 8L << 30, 64L << 30))
        .as(
            (queue, cores, memory) ->
                queue
                    .with(QuotaResource.CPU, QueueQuota.guaranteed(cores))
                    .with(QuotaResource.MEMORY, QueueQuota.guaranteed(memory)));
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void startsStayWithinLimitsAndOnlyQueuesAboveTheirShareLoseJobs(
      @ForAll("sequences") Sequence sequence) {
    LiquidScheduler scheduler = sequence.scheduler();
    QueueLedger ledger = new QueueLedger();
    Ledger cluster = new Ledger(sequence.events().cluster());

    play(
        sequence,
        scheduler,
        event -> {
          List<Decision> decisions = scheduler.on(event);
          ledger.enter(event, decisions);
          cluster.enter(event, decisions);
        });
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void aSchedulerRestoredBeforeEachEventDecidesTheSame(@ForAll("sequences") Sequence sequence) {
    LiquidScheduler first = sequence.scheduler();

    play(
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
          assertThat(restored.waiting()).isEqualTo(first.waiting());
        });
  }

  /** Also where every job is tried again each time. */
  @Property(edgeCases = EdgeCasesMode.NONE)
  void nobodyTakesBackInTurns(@ForAll("sequences") Sequence sequence) {
    requireRest(sequence);
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void nobodyTakesBackSeveralResourcesInTurns(@ForAll("sequencesOfSeveral") Sequence sequence) {
    requireRest(sequence);
  }

  @Provide
  Arbitrary<Sequence> sequencesOfSeveral() {
    return sequences(JobDraft.any(), trees(QueueLaws::queueOfSeveral));
  }

  private static void requireRest(Sequence sequence) {
    LiquidScheduler scheduler = sequence.scheduler();

    play(
        sequence,
        scheduler,
        event -> {
          List<Decision> decisions = scheduler.on(event);
          List<List<Decision>> turns = new ArrayList<>();
          Scheduler quiet = scheduler;
          for (int turn = 0; turn < 30 && !decisions.isEmpty(); turn++) {
            turns.add(decisions);
            quiet = quiet.copy();
            decisions = quiet.on(new ClusterEvent.TimePassed(event.at()));
          }
          assertThat(decisions).as("after %s and %s", event, turns).isEmpty();
        });
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void nothingHappensWhereNothingHasChangedOrIsDue(@ForAll("sequences") Sequence sequence) {
    LiquidScheduler scheduler = sequence.scheduler();

    play(
        sequence,
        scheduler,
        event -> {
          scheduler.on(event);
          if (scheduler.nextWakeUp().filter(event.at()::equals).isEmpty()) {
            assertThat(scheduler.on(new ClusterEvent.TimePassed(event.at()))).isEmpty();
          }
        });
  }

  /** Where each job is one GPU that fits wherever one is free, nothing keeps a queue waiting. */
  @Property(edgeCases = EdgeCasesMode.NONE)
  void whatIsGuaranteedComesBackAtOnce(@ForAll("plainSequences") Sequence sequence) {
    requireNoDebt(sequence);
  }

  /** There is always enough CPU and memory, so that nobody's guarantee of them matters. */
  @Property(edgeCases = EdgeCasesMode.NONE)
  void whatIsGuaranteedComesBackAtOnceWhoeverIsGuaranteedWhatNobodyLacks(
      @ForAll("plainSequencesOfSeveral") Sequence sequence) {
    requireNoDebt(sequence);
  }

  /**
   * Jobs that have just started give way a moment later, for which the scheduler asks to be woken.
   */
  private static void requireNoDebt(Sequence sequence) {
    LiquidScheduler scheduler = sequence.scheduler();
    List<Playback.Turn> turns = new ArrayList<>();

    play(
        sequence,
        scheduler,
        event -> {
          turns.add(new Playback.Turn(event, scheduler.on(event)));
          Scheduler soon = scheduler.copy();
          QueueLedger ledger = new QueueLedger();
          turns.forEach(turn -> ledger.enter(turn.event(), turn.decisions()));
          Instant moment = event.at().plusMillis(1);
          for (Optional<Instant> wake = soon.nextWakeUp();
              wake.filter(moment::isAfter).isPresent();
              wake = soon.nextWakeUp()) {
            ClusterEvent again = new ClusterEvent.TimePassed(wake.get());
            ledger.enter(again, soon.on(again));
          }
          ledger.requireNoDebt(soon);
        });
  }

  @Provide
  Arbitrary<Sequence> plainSequences() {
    return sequences(JobDraft.any().map(QueueLaws::plain)).map(QueueLaws::withoutRetries);
  }

  @Provide
  Arbitrary<Sequence> plainSequencesOfSeveral() {
    return sequences(JobDraft.any().map(QueueLaws::frugal), trees(QueueLaws::queueOfSeveral))
        .map(QueueLaws::withoutRetries);
  }

  private static Sequence withoutRetries(Sequence sequence) {
    return new Sequence(
        new EventSequence(
            sequence.events().cluster(),
            sequence.events().policy(),
            PreemptionRules.NONE.gracePeriod(sequence.events().rules().gracePeriod()),
            Optional.empty(),
            sequence.events().steps().stream()
                .filter(step -> step.kind() != ClusterStep.Kind.RETRY)
                .map(QueueLaws::withoutDelay)
                .toList()),
        sequence.trees());
  }

  /** Returns a step after which a job that has stopped may be started again at once, anywhere. */
  private static ClusterStep withoutDelay(ClusterStep step) {
    return step.kind() == ClusterStep.Kind.STOP
        ? new ClusterStep(step.kind(), step.pick() | 2, step.seconds(), step.job())
        : step;
  }

  /** Returns a pre-emptible job of one GPU and hardly any CPU and memory. */
  private static JobDraft frugal(JobDraft draft) {
    ResourceRequest least =
        ResourceRequest.builder()
            .gpus(1)
            .cpu(CpuCores.ofMillicores(1))
            .memory(Memory.ofBytes(1))
            .build();
    JobDraft plain = draft.plain(new TaskRole("worker", 1, least));
    return new JobDraft(
        plain.roles(),
        List.of(),
        plain.fewer(),
        plain.constraints(),
        plain.priority(),
        true,
        plain.seconds(),
        plain.sharing(),
        plain.queue(),
        plain.utilization());
  }

  private static JobDraft plain(JobDraft draft) {
    return draft.plain(new TaskRole("worker", 1, ResourceRequest.ofGpus(1)));
  }

  /** Where nobody else is, a job starts unless it is told the most that its quotas ever allow. */
  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void aJobThatItsQuotasForbidForEverIsToldTheMostThatTheyAllow(
      @ForAll("treesThatMayNotLend") QueueTree tree,
      @ForAll Reclaiming reclaiming,
      @ForAll @IntRange(min = 1, max = 12) int gpus,
      @ForAll boolean preemptible) {
    Session alone = Session.of(Policies.bestEffortFifo(), 64);
    alone.on(new ClusterEvent.QueuesChanged(Instant.EPOCH, tree.with(reclaiming)));
    JobSpec.Builder job = Session.aJob("job", gpus).preemptible(preemptible);

    if (alone.submit(job).isEmpty()) {
      double most =
          alone.explain("job").remedies().stream()
              .flatMap(remedy -> most(remedy).stream())
              .findFirst()
              .orElseThrow();
      assertThat(most).isLessThan(gpus);
      if (most >= 1) {
        assertThat(alone.submit(Session.aJob("less", (int) most).preemptible(preemptible)))
            .containsExactly("start less");
      }
    }
  }

  private static Optional<Double> most(Counterfactual remedy) {
    return remedy instanceof Counterfactual.WithinQuotas within
        ? Optional.of(within.most())
        : Optional.empty();
  }

  /** Has each event, as it is possible by then, be taken. */
  static void play(Sequence sequence, LiquidScheduler scheduler, Consumer<ClusterEvent> taken) {
    play(sequence, EventSequence.playback(scheduler), taken);
  }

  /** Has each event, as a playback yields it by then, be taken. */
  static void play(Sequence sequence, Playback playback, Consumer<ClusterEvent> taken) {
    for (int step = 0; step < sequence.events().steps().size(); step++) {
      sequence
          .treeBefore(step)
          .ifPresent(tree -> taken.accept(new ClusterEvent.QueuesChanged(playback.now(), tree)));
      playback.event(sequence.events().steps().get(step)).ifPresent(taken);
    }
  }
}
