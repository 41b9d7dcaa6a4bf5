package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static io.github.liquidscheduler.scheduler.Session.aJobOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.Retry;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Jobs run though nobody here has decided it, on nodes of four GPUs. */
class JobAdoptedTest {

  private static final ResourceRequest NO_GPU = ResourceRequest.builder().build();

  private Session session = Session.of(Policies.fifo(), 4, 4);

  @Test
  void anUnknownJobRunsFromThenOnAndHoldsItsGpus() {
    session.at(100);

    assertThat(foreign(aJob("4711", 3), 60, "n0", "n0", "n0")).isEmpty();

    assertThat(status("4711"))
        .isInstanceOfSatisfying(
            JobStatus.Running.class,
            running -> {
              assertThat(running.since()).isEqualTo(Instant.ofEpochSecond(60));
              assertThat(running.placement().nodes()).containsExactly(NodeId.of("n0"));
            });
    assertThat(session.submit("a", 5)).containsExactly("start a");
    assertThat(session.submit("b", 1)).isEmpty();
    assertThat(session.finish("4711")).containsExactly("start b");
  }

  @Test
  void aWaitingJobThatWasStartedPastUsRunsWhereItWasSeen() {
    session.submit("a", 8);
    session.submit("b", 1);
    session.at(10).finish("a");
    session.submit("c", 8);
    session.on(new ClusterEvent.JobHeld(session.now(), JobId.of("c"), "not yet"));
    session.finish("b");

    session.at(20);
    owned(aJob("c", 8), 15, "n1", "n1", "n1", "n1", "n0", "n0", "n0", "n0");

    assertThat(session.running()).containsExactly("c");
    assertThat(session.waiting()).isEmpty();
  }

  @Test
  void aLaunchingJobThatIsSeenWhereItWasStartedHasBegun() {
    session = launching();
    session.submit("a", 2);

    session.at(30);
    owned(aJob("a", 2), 12, "n0", "n0");

    assertThat(status("a"))
        .isEqualTo(
            new JobStatus.Running(
                Instant.ofEpochSecond(12), session.entry("a").placement().orElseThrow()));
  }

  @Test
  void aLaunchingJobThatIsSeenElsewhereRunsThereAndItsPromiseIsDropped() {
    session = launching();
    session.submit("a", 4);
    session.submit("b", 4);
    assertThat(session.submit("c", 4)).isEmpty();

    session.at(30);

    assertThat(owned(aJob("a", 4), 20, "n1", "n1", "n1", "n1"))
        .containsExactly("preempt b", "start b");
    assertThat(session.nodesOf("a")).containsExactly("n1");
    assertThat(session.nodesOf("b")).containsExactly("n0");
  }

  @Test
  void aRunningJobThatIsSeenElsewhereKeepsItsRunTime() {
    session.submit("a", 4);

    session.at(50);
    owned(aJob("a", 4), 40, "n1", "n1", "n1", "n1");

    assertThat(session.nodesOf("a")).containsExactly("n1");
    assertThat(session.record("a").since()).isEqualTo(Instant.EPOCH);
    assertThat(session.submit("b", 4)).containsExactly("start b");
  }

  @Test
  void aJobThatRunsWhereItWasSeenStaysAsItIs() {
    session.submit("a", 4);

    session.at(50);
    assertThat(owned(aJob("a", 4), 40, "n0", "n0", "n0", "n0")).isEmpty();

    assertThat(session.record("a").since()).isEqualTo(Instant.EPOCH);
  }

  @Test
  void aJobThatIsOverNeedsANewId() {
    session.submit("a", 4);
    session.finish("a");

    assertThatThrownBy(() -> owned(aJob("a", 1), 0, "n0"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "a job that is over cannot run again under its id, but job 'a', which is over"
                + " (FINISHED), was adopted. Adopt it under a new id");
  }

  @Test
  void itsNodesAreThereAndNotLostAndHaveItsGpus() {
    session.lose("n1");

    assertThatThrownBy(() -> owned(aJob("a", 1), 0, "n1"))
        .hasMessageContaining("node 'n1' is lost, for job 'a'. Tell of the node first");
    assertThatThrownBy(() -> owned(aJob("a", 1), 0, "n7"))
        .hasMessageContaining("node 'n7' is not there");
    assertThatThrownBy(() -> owned(aJob("a", 5), 0, "n0", "n0", "n0", "n0", "n0"))
        .hasMessageContaining("node 'n0' has 4, and 5.0 are used");
    assertThatThrownBy(() -> owned(aJob("a", 1), 7, "n0"))
        .hasMessageContaining(
            "1970-01-01T00:00:00Z, when it is adopted, but did since 1970-01-01T00:00:07Z");
    assertThatThrownBy(() -> owned(aJob("a", 2), 0, "n0"))
        .hasMessageContaining("one node for each of its tasks, 2, but had 1");
  }

  @Test
  void aJobMayBeSeenOnANodeThatDrains() {
    session.drain("n0");

    owned(aJob("a", 4), 0, "n0", "n0", "n0", "n0");

    assertThat(session.nodesOf("a")).containsExactly("n0");
  }

  @Test
  void freeGpusAreTakenBeforeThoseThatArePromised() {
    session = launching();
    session.submit("a", 2);

    assertThat(foreign(aJob("4711", 2), 0, "n0", "n0")).isEmpty();
    assertThat(foreign(aJob("4712", 1), 0, "n0")).containsExactly("preempt a", "start a");

    assertThat(session.last().getFirst())
        .isEqualTo(
            new Decision.Preempt(
                JobId.of("a"), new Reason.TakenByAdopted(JobId.of("4712")), Optional.empty()));
    assertThat(session.nodesOf("a")).containsExactly("n1");
    assertThat(session.record("a").preemptions()).isEqualTo(1);
  }

  @Test
  void aStartingJobWhoseGpusAreTakenWaitsAgain() {
    session = priority(PreemptionRules.NONE.gracePeriod(Duration.ofSeconds(30)));
    session.submit("low", 8);
    session.submit(aJob("high", 8).priority(1));

    session.at(10);
    assertThat(foreign(aJob("4711", 1), 5, "n0")).containsExactly("preempt high");
    assertThat(session.record("high").preemptions()).isZero();
    assertThat(session.at(12).stop("low")).isEmpty();
    assertThat(session.at(20).finish("4711")).containsExactly("start high");
  }

  @Test
  void aNodeOnWhichMoreIsHeldThanThereIsTakesNothingUntilEnoughHasLeft() {
    session.submit("a", 4);
    session.submit("b", 4);
    foreign(aJob("4711", 2), 0, "n0", "n0");
    session.submit("c", 1);

    assertThat(session.scheduler.view().freeGpus(NodeId.of("n0"))).isZero();
    assertThat(session.scheduler.view().health(NodeId.of("n0"))).isEqualTo(NodeHealth.UP);
    assertThat(session.at(10).finish("a")).containsExactly("start c");
    assertThat(session.submit("d", 2)).isEmpty();
    assertThat(session.at(20).finish("4711")).containsExactly("start d");
  }

  @Test
  void aGpuIsFreeOnlyIfNobodyElseHoldsIt() {
    session.submit("a", 4);
    session.submit("b", 4);
    foreign(aJob("4711", 2), 0, "n0", "n0");

    session.at(10).finish("4711");
    assertThat(session.submit("c", 1)).isEmpty();
    assertThat(session.finish("a")).containsExactly("start c");
  }

  @Test
  void anOverfullNodeIsTheObstacleByItsNumbersAndForeignJobsAreNamed() {
    session.submit("a", 4);
    session.submit("b", 4);
    foreign(aJob("4711", 2), 0, "n0", "n0");
    session.submit("c", 1);

    assertThat(session.explain("c").unmetConstraints().stream().map(UnmetConstraint::describe))
        .contains(
            "OVER_FULL (node 'n0', of which is held: 2 of 4 GPUs twice): it takes nothing until"
                + " enough has been left",
            "NOT_STARTED_HERE (job '4711', which was not started here): it holds 2 GPUs");
  }

  @Test
  void aForeignJobIsNeverPreemptedMovedResizedOrProfiled() {
    session =
        new Session(
            LiquidScheduler.builder(Session.cluster(4, 4))
                .policy(Policies.priority())
                .preemption(PreemptionRules.NONE.moving(3))
                .elasticity(Elasticity.by(SizingPolicy.marginalGain()).build())
                .build());
    foreign(aJob("4711", 2).parallelism(Parallelism.between(1, 2, 4)), 0, "n0", "n0");
    session.submit("a", 2);
    session.submit("b", 4);

    assertThat(session.at(100).submit(aJob("high", 8).priority(9))).isEmpty();
    session.on(
        new ClusterEvent.NodeDraining(
            session.now(), NodeId.of("n0"), Optional.of(Instant.ofEpochSecond(200))));
    session.at(200).pass();

    assertThat(session.nodesOf("4711")).containsExactly("n0");
    assertThat(session.running()).contains("4711");
  }

  @Test
  void anOwnedJobIsPreemptedAsAnyOther() {
    session = priority(PreemptionRules.NONE);
    owned(aJob("a", 8), 0, "n0", "n0", "n0", "n0", "n1", "n1", "n1", "n1");

    assertThat(session.at(10).submit(aJob("high", 8).priority(1)))
        .containsExactly("preempt a", "start high");
    assertThat(session.at(20).finish("high")).containsExactly("start a");
  }

  @Test
  void aForeignJobThatFailsOrLosesATaskIsOver() {
    foreign(aJob("4711", 1), 0, "n0");
    foreign(aJob("4712", 2), 0, "n0", "n1");

    session.fail("4711", Failure.CRASHED, Retry.now());
    assertThat(session.at(10).lose("n1")).isEmpty();

    assertThat(status("4711")).isEqualTo(new JobStatus.Ended(JobStatus.Outcome.FAILED));
    assertThat(status("4712")).isEqualTo(new JobStatus.Ended(JobStatus.Outcome.FAILED));
    assertThat(session.submit("a", 4)).containsExactly("start a");
  }

  @Test
  void itCountsInItsQueueEvenBeyondTheLimit() {
    session.on(
        new ClusterEvent.QueuesChanged(
            Instant.EPOCH,
            QueueTree.of(
                QueueSpec.named("default")
                    .with(QuotaResource.GPUS, QueueQuota.guaranteed(2).withLimit(2)),
                QueueSpec.named("research").withGpus(6))));
    foreign(aJob("4711", 4).queue("research"), 0, "n0", "n0", "n0", "n0");
    foreign(aJob("4712", 3), 0, "n1", "n1", "n1");

    assertThat(session.submit("a", 1)).isEmpty();
    assertThat(session.submit(aJob("b", 1).queue("research"))).containsExactly("start b");
    assertThat(session.at(5).finish("4712")).containsExactly("start a");
  }

  @Test
  void backfillCountsItsExpectedTimeFromWhenItBegan() {
    session =
        new Session(
            LiquidScheduler.builder(Session.cluster(4))
                .policy(Policies.fifo())
                .backfill(Backfill.easy())
                .build());
    session.at(50);
    foreign(aJobOf("4711", 3, 100), 10, "n0", "n0", "n0");
    session.submit(aJobOf("wide", 4, 100));

    assertThat(session.explain("wide").queue().expectedStart().orElseThrow().instant())
        .isEqualTo(Instant.ofEpochSecond(110));
    assertThat(session.submit(aJobOf("long", 1, 100))).isEmpty();
    assertThat(session.submit(aJobOf("short", 1, 60))).containsExactly("start short");
  }

  @Test
  void endsAndAdoptionsOfOneLookAreOneTurn() {
    session.submit("a", 4);
    session.submit("b", 4);
    session.submit("c", 4);

    session.on(
        ClusterEvent.together(
            List.of(
                new ClusterEvent.JobFinished(session.now(), JobId.of("a")),
                adopted(aJob("4711", 1), 0, false, "n0"))));

    assertThat(session.waiting()).containsExactly("c");
  }

  @Test
  void allOfItSurvivesARestartAndACopy() {
    session.submit("a", 4);
    session.submit("b", 4);
    foreign(aJob("4711", 2), 0, "n0", "n0");
    owned(aJob("4712", 2), 0, "n0", "n0");
    session.submit("c", 2);

    for (Session other : List.of(session.restored(), session.copy())) {
      assertThat(other.scheduler.snapshot()).isEqualTo(session.scheduler.snapshot());
      assertThat(other.at(10).finish("a")).isEqualTo(List.of());
      assertThat(other.fail("4711", Failure.CRASHED, Retry.now())).containsExactly("start c");
      assertThat(other.fail("4712", Failure.CRASHED, Retry.now())).containsExactly("start 4712");
    }
  }

  @Test
  void aQuestionLeavesNoTrace() {
    session.submit("a", 4);
    var before = session.scheduler.snapshot();

    session.scheduler.whatIf(List.of(adopted(aJob("4711", 2), 0, false, "n0", "n0")), 3);

    assertThat(session.scheduler.snapshot()).isEqualTo(before);
    assertThat(session.submit("b", 4)).containsExactly("start b");
  }

  @Test
  void aStoppingJobThatGoesOnRunsAgain() {
    session = priority(PreemptionRules.NONE.gracePeriod(Duration.ofSeconds(30)));
    session.submit("low", 8);
    session.submit(aJob("high", 8).priority(1));

    session.stepByStep().at(10);
    owned(aJob("low", 8), 0, "n0", "n0", "n0", "n0", "n1", "n1", "n1", "n1");

    assertThat(session.running()).containsExactly("low");
    assertThat(session.waiting()).containsExactly("high");
  }

  @Test
  void anAnswerOfAPlacerThatTakesAnOverfullNodeIsNone() {
    session =
        new Session(
            LiquidScheduler.builder(Session.cluster(4))
                .policy(Policies.bestEffortFifo())
                .placer(new OnN0())
                .build());
    session.submit("a", 4);
    foreign(aJob("4711", 1), 0, "n0");

    assertThat(session.submit(JobSpec.builder("c").role("task", 1, NO_GPU))).isEmpty();
    assertThat(session.at(10).finish("4711")).containsExactly("start c");
  }

  /** A placer of an embedder that looks at nothing. */
  private static final class OnN0 implements Placer {
    @Override
    public Optional<Placement> place(ClusterView view, JobSpec job) {
      return Optional.of(onN0(job));
    }

    @Override
    public List<UnmetConstraint> unmetConstraints(ClusterView view, JobSpec job) {
      return List.of();
    }
  }

  private static Placement onN0(JobSpec job) {
    return job.id().value().equals("a")
        ? Session.place("a on n0 0 1 2 3")
        : new Placement(
            job.id(),
            List.of(new TaskPlacement(new TaskId("task", 0), NodeId.of("n0"), List.of(), NO_GPU)));
  }

  @Test
  void whoSharesAGpuHasCoRunnersAgainOnceAJobWithAllOfItHasLeft() {
    session = Session.of(Policies.fifo(), 1);
    ResourceRequest half = ResourceRequest.builder().share(GpuShare.ofThousandths(500)).build();
    session.submit(JobSpec.builder("half").role("task", 1, half));
    foreign(aJob("4711", 1), 0, "n0");
    assertThat(session.scheduler.state().cluster().shared().size()).isZero();

    session.at(10).finish("4711");

    assertThat(session.scheduler.state().cluster().shared().size()).isEqualTo(1);
  }

  private static Session launching() {
    return new Session(
        LiquidScheduler.builder(Session.cluster(4, 4))
            .policy(Policies.fifo())
            .startsReported()
            .build());
  }

  private static Session priority(PreemptionRules rules) {
    return new Session(
        LiquidScheduler.builder(Session.cluster(4, 4))
            .policy(Policies.priority())
            .preemption(rules)
            .build());
  }

  private List<String> foreign(JobSpec.Builder job, long since, String... nodes) {
    return session.on(adopted(job, since, false, nodes));
  }

  private List<String> owned(JobSpec.Builder job, long since, String... nodes) {
    return session.on(adopted(job, since, true, nodes));
  }

  private ClusterEvent adopted(JobSpec.Builder job, long since, boolean isOwned, String... nodes) {
    return new ClusterEvent.JobAdopted(
        session.now(),
        job.build(),
        Arrays.stream(nodes).map(NodeId::of).toList(),
        Instant.ofEpochSecond(since),
        isOwned);
  }

  private JobStatus status(String job) {
    return session.scheduler.status(JobId.of(job)).orElseThrow();
  }
}
