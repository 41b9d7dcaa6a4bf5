package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.placement.Placers;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.PredictedSlowdownRule;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.scheduling.PluginFailedException;
import io.github.liquidscheduler.scheduling.Progress;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import io.github.liquidscheduler.testkit.ClusterStep;
import io.github.liquidscheduler.testkit.JobDraft;
import io.github.liquidscheduler.testkit.Playback;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** An event is applied entirely or not at all, also if an embedder's parts throw. */
class FailingPartsLaws {

  private static final Duration WORK = Duration.ofSeconds(100);

  private static final QueueTree TREE =
      QueueTree.of(QueueSpec.named("default").withGpus(3), QueueSpec.named("research").withGpus(2));

  private final Fuse fuse = new Fuse();

  @Provide
  Arbitrary<EventSequence> sequences() {
    return EventSequence.sequences(JobDraft.any(), EventSequence.POLICIES);
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void aFailureLeavesTheSchedulerAsItWas(
      @ForAll("sequences") EventSequence sequence,
      @ForAll @Size(min = 1, max = 20) List<@IntRange(max = 25) Integer> fuses) {
    LiquidScheduler sound = sequence.options().placer(Placers.bestFit()).build();
    LiquidScheduler fused =
        sequence
            .options()
            .policy(new Fuse.FusedPolicy(sequence.policy(), fuse))
            .placer(new Fuse.FusedPlacer(Placers.bestFit(), fuse))
            .build();
    Playback playback = EventSequence.playback(sound);

    for (int i = 0; i < sequence.steps().size(); i++) {
      ClusterStep step = sequence.steps().get(i);
      fuse.disarm();
      SchedulerSnapshot before = fused.snapshot();
      List<?> running = fused.view().runningJobs();
      Optional<Playback.Turn> turn = playback.play(step);
      fuse.arm(fuses.get(i % fuses.size()));
      if (turn.isPresent() && fails(fused, turn.get())) {
        assertThat(fused.snapshot()).isEqualTo(before);
        assertThat(fused.view().runningJobs()).isEqualTo(running);
        fuse.disarm();
        assertThat(fused.on(turn.get().event()))
            .as("%s", turn.get().event())
            .isEqualTo(turn.get().decisions());
      }
      assertThat(fused.waiting()).isEqualTo(sound.waiting());
      assertThat(fused.nextWakeUp()).isEqualTo(sound.nextWakeUp());
    }
  }

  /** Whichever call of a policy or placer it is that fails. */
  @Property(edgeCases = EdgeCasesMode.NONE)
  void anEventThatFailsAndIsNotToldAgainChangesNothingLater(
      @ForAll("sequences") EventSequence sequence,
      @ForAll boolean hasTree,
      @ForAll @Size(min = 1, max = 20) List<@IntRange(max = 25) Integer> fuses) {
    LiquidScheduler fused =
        sequence
            .options()
            .policy(fuse.protecting(SchedulingPolicy.class, sequence.policy()))
            .placer(fuse.protecting(Placer.class, Placers.bestFit()))
            .build();
    Placer alike = new Fuse().protecting(Placer.class, Placers.bestFit());
    LiquidScheduler sound = sequence.options().placer(alike).build();
    Playback playback = EventSequence.playback(sound);
    if (hasTree) {
      ClusterEvent queues = new ClusterEvent.QueuesChanged(Instant.EPOCH, TREE);
      assertThat(fused.on(queues)).isEqualTo(playback.take(queues).decisions());
    }

    for (int i = 0; i < sequence.steps().size(); i++) {
      Optional<ClusterEvent> event = playback.event(sequence.steps().get(i));
      if (event.isPresent()) {
        fuse.arm(fuses.get(i % fuses.size()));
        try {
          List<Decision> decisions = fused.on(event.get());
          fuse.disarm();
          assertThat(decisions).isEqualTo(playback.take(event.get()).decisions());
        } catch (PluginFailedException blown) {
          fuse.disarm();
        }
      }
      assertThat(fused.snapshot()).isEqualTo(sound.snapshot());
    }
  }

  /** Also where turns before the one that fails have ended. */
  @Property(edgeCases = EdgeCasesMode.NONE)
  void aQuestionThatFailsLeavesNoTrace(
      @ForAll("sequences") EventSequence sequence,
      @ForAll boolean hasTree,
      @ForAll @Size(min = 1, max = 20) List<@IntRange(max = 60) Integer> fuses) {
    LiquidScheduler scheduler =
        sequence
            .immediate()
            .options()
            .policy(
                fuse.protecting(
                    SchedulingPolicy.class, new Fuse.FusedPolicy(sequence.policy(), fuse)))
            .placer(new Fuse.FusedPlacer(Placers.bestFit(), fuse))
            .backfill(Backfill.easy())
            .build();
    Playback playback = EventSequence.playback(scheduler);
    if (hasTree) {
      playback.take(new ClusterEvent.QueuesChanged(Instant.EPOCH, TREE));
    }

    for (int i = 0; i < sequence.steps().size(); i++) {
      Optional<ClusterEvent> event = playback.event(sequence.steps().get(i));
      if (event.isPresent()) {
        SchedulerSnapshot before = scheduler.snapshot();
        fuse.arm(fuses.get(i % fuses.size()));
        try {
          scheduler.whatIf(List.of(event.get()), 3);
        } catch (PluginFailedException | ArithmeticException blown) {
          assertThat(SnapshotDifference.of(scheduler.snapshot(), before)).isEmpty();
        }
        fuse.disarm();
        playback.take(event.get());
      }
    }
  }

  @Example
  void aPolicyIsAskedOnceForWhatIsTheSameForEveryJob() {
    SchedulingPolicy policy = Policies.fairShare();
    Set<String> asked = new TreeSet<>();
    InvocationHandler listening =
        (proxy, method, arguments) -> {
          asked.add(method.getName());
          return method.invoke(policy, arguments);
        };
    Class<?>[] types = {SchedulingPolicy.class};
    LiquidScheduler scheduler =
        LiquidScheduler.builder(Session.cluster(2))
            .policy(
                (SchedulingPolicy)
                    Proxy.newProxyInstance(getClass().getClassLoader(), types, listening))
            .build();
    asked.clear();

    Session session = new Session(scheduler);
    session.on(new ClusterEvent.QueuesChanged(session.now(), TREE));
    session.submit(Session.aJob("a", 2));
    session.submit(Session.aJob("b", 1).queue("research"));
    session.explain("b");
    scheduler.whatIf(List.of(new ClusterEvent.JobFinished(session.now(), JobId.of("a"))), 3);
    session.finish("a");

    assertThat(asked).containsExactly("nextReview", "policyState", "rank");
  }

  /** A job comes, runs at a rate, or ends. */
  record Step(int kind, int which, boolean guaranteed, int rate) {

    ClusterEvent event(LiquidScheduler scheduler, int at) {
      Instant now = Instant.ofEpochSecond(at);
      List<JobId> running = List.copyOf(scheduler.view().runningJobs());
      if (kind == 0 || running.isEmpty()) {
        Sharing sharing = guaranteed ? new Sharing.Guaranteed(0.7) : new Sharing.Opportunistic();
        JobSpec.Builder job = Session.aJob("j" + at, 1).sharing(sharing);
        job.workload(Workload.builder("family-" + which % 3).build());
        job.expectedWork(new ExpectedWork(Optional.of(WORK), OptionalLong.of(1000)));
        return new ClusterEvent.JobSubmitted(now, job.build());
      }
      JobId job = running.get(which % running.size());
      return kind == 1
          ? new ClusterEvent.JobFinished(now, job)
          : new ClusterEvent.JobProgressed(now, job, Progress.of(at, rate));
    }
  }

  @Provide
  Arbitrary<List<Step>> sharingSteps() {
    return Combinators.combine(
            Arbitraries.of(0, 0, 1, 2, 2, 2, 2, 2),
            Arbitraries.integers().between(0, 5),
            Arbitraries.of(true, false),
            Arbitraries.integers().between(3, 10))
        .as(Step::new)
        .list()
        .ofMinSize(10)
        .ofMaxSize(60);
  }

  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  void aFailureTeachesNothing(
      @ForAll("sharingSteps") List<Step> steps,
      @ForAll @Size(min = 1, max = 20) List<@IntRange(max = 12) Integer> fuses) {
    LiquidScheduler sound = sharing(new Fuse());
    LiquidScheduler fused = sharing(fuse);
    for (int i = 0; i < steps.size(); i++) {
      ClusterEvent event = steps.get(i).event(sound, i);
      SchedulerSnapshot before = fused.snapshot();
      Playback.Turn turn = new Playback.Turn(event, sound.on(event));
      fuse.arm(fuses.get(i % fuses.size()));
      if (fails(fused, turn)) {
        assertThat(fused.snapshot()).isEqualTo(before);
        fuse.disarm();
        assertThat(fused.on(event)).as("%s", event).isEqualTo(turn.decisions());
      }
      assertThat(fused.snapshot()).isEqualTo(sound.snapshot());
    }
  }

  private static LiquidScheduler sharing(Fuse fuse) {
    Colocation.Builder colocation =
        Colocation.builder(PredictedSlowdownRule.of(new Fuse.FusedPredictor(fuse)));
    return LiquidScheduler.builder(Session.cluster(2, 1))
        .policy(Policies.bestEffortFifo())
        .colocation(colocation.build())
        .build();
  }

  /** Returns true if the turn failed; if not, its decisions are those of a sound scheduler. */
  private static boolean fails(LiquidScheduler fused, Playback.Turn turn) {
    try {
      assertThat(fused.on(turn.event())).isEqualTo(turn.decisions());
      return false;
    } catch (PluginFailedException e) {
      return true;
    }
  }

  @Example
  void aPolicyThatFailsWhileQueuesChangeLosesNoJob() {
    LiquidScheduler scheduler =
        LiquidScheduler.builder(Session.cluster(2))
            .policy(new Fuse.FusedPolicy(Policies.fairShare(), fuse))
            .placer(fuse.protecting(Placer.class, Placers.bestFit()))
            .build();
    Session session = new Session(scheduler);
    List.of("r1", "r2").forEach(job -> session.submit(job, 1));
    List.of("w1", "w2", "w3").forEach(job -> session.submit(Session.aJob(job, 2).queue(job)));
    SchedulerSnapshot before = scheduler.snapshot();
    ClusterEvent change =
        new ClusterEvent.QueuesChanged(
            session.now(),
            QueueTree.of(
                QueueSpec.named("default"),
                QueueSpec.named("w1").withGpus(2),
                QueueSpec.named("w2"),
                QueueSpec.named("w3")));

    int calls = 0;
    while (failsAfter(calls, scheduler, change)) {
      assertThat(scheduler.waiting()).extracting(JobId::value).containsExactly("w1", "w2", "w3");
      assertThat(scheduler.view().runningJobs()).hasSize(2);
      assertThat(scheduler.snapshot()).isEqualTo(before);
      calls++;
    }
    assertThat(calls).isGreaterThan(5);
    assertThat(scheduler.waiting()).hasSize(3);
  }

  @Example
  void aPolicyThatFailsWhileItOrdersTheQueuesOfATreeChangesNothing() {
    LiquidScheduler scheduler =
        LiquidScheduler.builder(Session.cluster(2))
            .policy(new Fuse.FusedPolicy(Policies.fairShare(), fuse))
            .build();
    Session session = new Session(scheduler);
    session.on(
        new ClusterEvent.QueuesChanged(
            session.now(),
            QueueTree.of(
                    QueueSpec.named("lab"),
                    QueueSpec.named("a").in("lab"),
                    QueueSpec.named("b").in("lab"))
                .with(Reclaiming.NEVER)));
    session.submit(Session.aJob("r1", 2).queue("a"));
    session.submit(Session.aJob("w1", 1).queue("a"));
    session.submit(Session.aJob("w2", 1).queue("b"));
    List<JobId> waiting = scheduler.waiting();
    SchedulerSnapshot before = scheduler.snapshot();
    ClusterEvent end = new ClusterEvent.JobFinished(session.now(), JobId.of("r1"));

    int calls = 0;
    while (failsAfter(calls, scheduler, end)) {
      assertThat(scheduler.waiting()).isEqualTo(waiting);
      assertThat(scheduler.snapshot()).isEqualTo(before);
      calls++;
    }
    assertThat(calls).isGreaterThan(2);
    assertThat(scheduler.waiting()).isEmpty();
  }

  /** Of a tree in which the queue of the jobs is a part of the other one. */
  @Example
  void jobsAndQueuesFareAsBeforeIfThePolicyFailsWhileQueuesChange() {
    QueueQuota one = QueueQuota.guaranteed(0).withLimit(1);
    QueueQuota two = QueueQuota.guaranteed(0).withLimit(2);
    LiquidScheduler scheduler =
        LiquidScheduler.builder(Session.cluster(4))
            .policy(new Fuse.FusedPolicy(Policies.fairShare(), fuse))
            .build();
    Session before = new Session(scheduler);
    before.on(
        new ClusterEvent.QueuesChanged(
            before.now(),
            QueueTree.of(
                QueueSpec.named("lab").with(QuotaResource.GPUS, one),
                QueueSpec.named("other").with(QuotaResource.GPUS, two))));
    before.submit(Session.aJob("r", 2).queue("other"));
    before.submit(Session.aJob("w", 2).queue("other"));
    ClusterEvent change =
        new ClusterEvent.QueuesChanged(
            before.now(), QueueTree.of(QueueSpec.named("lab"), QueueSpec.named("other").in("lab")));

    int calls = 0;
    LiquidScheduler failed = (LiquidScheduler) scheduler.copy();
    while (failsAfter(calls, failed, change)) {
      Session session = new Session(failed);
      assertThat(session.submit(Session.aJob("a", 1).queue("lab"))).containsExactly("start a");
      assertThat(session.submit(Session.aJob("b", 1).queue("lab"))).isEmpty();
      assertThat(session.submit(Session.aJob("x", 1).queue("other"))).isEmpty();
      assertThat(session.finish("r")).containsExactly("start w");
      failed = (LiquidScheduler) scheduler.copy();
      calls++;
    }
    assertThat(calls).isPositive();
  }

  private boolean failsAfter(int calls, LiquidScheduler scheduler, ClusterEvent event) {
    fuse.arm(calls);
    try {
      scheduler.on(event);
      return false;
    } catch (PluginFailedException blown) {
      return true;
    } finally {
      fuse.disarm();
    }
  }

  @Example
  void theFailureNamesTheEventAndTheCause() {
    Scheduler scheduler =
        LiquidScheduler.builder(Session.cluster(1))
            .policy(Policies.fifo())
            .placer(new Fuse.FusedPlacer(Placers.bestFit(), fuse))
            .build();
    ClusterEvent event = new ClusterEvent.JobSubmitted(Instant.EPOCH, Session.aJob("a", 1).build());
    fuse.arm(1);

    assertThatThrownBy(() -> scheduler.on(event))
        .isInstanceOf(PluginFailedException.class)
        .hasMessage(
            "a part of the scheduler failed, so the event was not taken: JobSubmitted at"
                + " 1970-01-01T00:00:00Z: java.lang.ArithmeticException: blown")
        .hasCauseInstanceOf(ArithmeticException.class);
    assertThat(scheduler.status(Session.aJob("a", 1).build().id())).isEmpty();
    assertThat(scheduler.on(event)).singleElement().isInstanceOf(Decision.Start.class);
  }
}
