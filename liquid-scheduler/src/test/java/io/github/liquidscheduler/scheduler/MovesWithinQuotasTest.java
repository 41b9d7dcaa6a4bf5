package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.PredictedSlowdownRule;
import io.github.liquidscheduler.planning.Migration;
import io.github.liquidscheduler.prediction.Prediction;
import io.github.liquidscheduler.prediction.Provenance;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Progress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A running job moves only to GPUs that its queue may hold: nodes v of V100s, k of K80s. */
class MovesWithinQuotasTest {

  private static final GpuModel V100 = GpuModel.of("V100");
  private static final GpuModel K80 = GpuModel.of("K80");
  private static final GpuModel T4 = GpuModel.of("T4");

  @Test
  void aJobMakesWayOnlyToAsManyGpusOfAModelAsItsQueueMayHold() {
    assertThat(madeWay(limited(1))).isEmpty();
    assertThat(madeWay(limited(2))).containsExactly("migrate a", "start large");
  }

  @Test
  void twoJobsThatMakeWayKeepToTheLimitTogether() {
    assertThat(bothInTheWay(limited(3), node("k", K80, 4)).submit(large())).isEmpty();
    assertThat(bothInTheWay(limited(4), node("k", K80, 4)).submit(large()))
        .containsExactly("migrate a", "migrate b", "start large");
  }

  @Test
  void aJobThatMakesWayKeepsToTheLimitTogetherWithTheOneThatStarts() {
    assertThat(madeWayForBothModels(3)).isEmpty();
    assertThat(madeWayForBothModels(4)).containsExactly("migrate a", "start both");
  }

  @Test
  void aJobThatMakesWayTakesAnotherModelIfItsQueueMayNotHoldTheFirst() {
    Session session = bothInTheWay(limited(2), node("k", K80, 4), node("t", T4, 2));

    assertThat(session.submit(large())).containsExactly("migrate a", "migrate b", "start large");
    assertThat(List.of(session.nodesOf("a"), session.nodesOf("b")))
        .containsExactlyInAnyOrder(List.of("k"), List.of("t"));
  }

  @Test
  void aJobMakesWayOnlyToQuotaThatSomebodyLends() {
    QueueTree ofV100 =
        QueueTree.of(
                QueueSpec.named("default")
                    .with(QuotaResource.gpus(V100), QueueQuota.guaranteed(8))
                    .with(QuotaResource.gpus(K80), QueueQuota.guaranteed(0)))
            .with(Reclaiming.LENT_QUOTA);

    assertThat(madeWay(ofV100)).isEmpty();
  }

  @Test
  void aJobDoesNotMakeWayIntoQuotaThatAnotherQueueDoesNotLend() {
    QueueTree unlendable =
        QueueTree.of(
            QueueSpec.named("default").withGpus(4),
            QueueSpec.named("other")
                .with(QuotaResource.gpus(K80), QueueQuota.guaranteed(3).withLendingLimit(0)));

    assertThat(madeWay(unlendable)).isEmpty();
  }

  /** One moves to the GPUs that the other leaves, which needs what the first one still holds. */
  @Test
  void aJobThatMakesWayTakesNoQuotaThatIsReleasedOnlyAfterItsMove() {
    for (int limit : List.of(2, 4)) {
      Session session =
          ofAnotherPlacer(2, node("v", V100, 3), node("k", K80, 4), node("spare", K80, 2));
      session.on(queues(limitedBesideAnother(limit)));
      session.submit(aJob("gives", 2).gpuModels(List.of(K80, V100)).excludeNodes(List.of("spare")));
      session.submit(aJob("takes", 2));

      assertThat(session.submit(aJob("large", 4).queue("other")))
          .isEqualTo(
              limit == 2 ? List.of() : List.of("migrate takes", "migrate gives", "start large"));
    }
  }

  /** The job that holds K80s moves to the GPUs that the last one leaves. */
  @Test
  void theJobThatReleasesQuotaMakesWayBeforeTheOneThatTakesIt() {
    Session session =
        ofAnotherPlacer(
            3,
            node("v", V100, 4),
            node("k", K80, 4),
            node("w", V100, 2),
            node("spare", K80, 2),
            node("t", T4, 2));
    session.on(queues(limitedBesideAnother(2)));
    session.submit(aJob("gives", 2).gpuModels(List.of(K80, V100)).excludeNodes(List.of("spare")));
    session.submit(aJob("takes", 2).excludeNodes(List.of("w")));
    session.submit(aJob("leaves", 2).gpuModels(List.of(V100, T4)).excludeNodes(List.of("v")));

    assertThat(
            session.submit(
                JobSpec.builder("large")
                    .role("worker", 2, ResourceRequest.ofGpus(4))
                    .queue("other")))
        .containsExactly("migrate leaves", "migrate gives", "migrate takes", "start large");
  }

  @Test
  void aPlanMovesNobodyBeyondALimit() {
    for (int limit : List.of(1, 2)) {
      Session session = session(0, node("v", V100, 4), node("k", K80, 4));
      session.on(queues(limited(limit)));
      session.submit(Session.aJob("a", 2));

      assertThat(
              session.plan(
                  0, List.of(new Migration(JobId.of("a"), Session.place("a on k 0 1"), 1, 100))))
          .isEqualTo(limit == 1 ? List.of() : List.of("migrate a"));
    }
  }

  @Test
  void aJobThatSlowsAnotherStopsIfItsQueueMayHoldNothingElse() {
    Session session =
        new Session(
            LiquidScheduler.builder(cluster(node("v", V100, 1), node("k", K80, 1)))
                .policy(Policies.bestEffortFifo())
                .colocation(
                    Colocation.builder(
                            PredictedSlowdownRule.of(
                                colocation -> Prediction.certain(1, Provenance.PRIOR)))
                        .build())
                .build());
    session.on(queues(limited(0)));
    session.submit(shared("a", new Sharing.Guaranteed(0.8)));
    session.submit(shared("b", new Sharing.Opportunistic()));
    assertThat(session.nodesOf("b")).containsExactly("v");

    session.progress("a", Progress.of(1, 6));
    assertThat(session.progress("a", Progress.of(1, 6))).containsExactly("preempt b");
  }

  /** Returns what follows when a job of two V100s is in the way of one that needs four. */
  private static List<String> madeWay(QueueTree tree) {
    Session session = session(1, node("v", V100, 4), node("k", K80, 4));
    session.on(queues(tree));
    session.submit(aJob("a", 2));
    assertThat(session.nodesOf("a")).containsExactly("v");
    return session.submit(large());
  }

  /** Returns what follows when it is in the way of one that needs four V100s and two K80s. */
  private static List<String> madeWayForBothModels(int mostK80s) {
    Session session = session(1, labelled("v", V100, 4), labelled("k", K80, 8));
    session.on(queues(limited(mostK80s)));
    session.submit(aJob("a", 2));
    return session.submit(
        JobSpec.builder("both")
            .role(new TaskRole("fast", 1, ResourceRequest.ofGpus(4)).on(Map.of("kind", "v")))
            .role(new TaskRole("slow", 1, ResourceRequest.ofGpus(2)).on(Map.of("kind", "k"))));
  }

  private static Node labelled(String id, GpuModel model, int gpus) {
    return Node.builder(id).gpus(gpus, model, Memory.ofGib(16)).label("kind", id).build();
  }

  /** Returns a job that needs all V100s. */
  private static JobSpec.Builder large() {
    return aJob("large", 4).gpuModels(List.of(V100));
  }

  /** Returns a session in which two jobs have two V100s each. */
  private static Session bothInTheWay(QueueTree tree, Node... others) {
    Node[] nodes = new Node[others.length + 1];
    nodes[0] = node("v", V100, 4);
    System.arraycopy(others, 0, nodes, 1, others.length);
    Session session = session(2, nodes);
    session.on(queues(tree));
    session.submit(aJob("a", 2).gpuModels(List.of(V100, K80, T4)));
    session.submit(aJob("b", 2).gpuModels(List.of(V100, K80, T4)));
    return session;
  }

  /** Returns the queue of all jobs with a limit of K80s. */
  private static QueueTree limited(int most) {
    return QueueTree.of(
        QueueSpec.named("default")
            .withGpus(8)
            .with(QuotaResource.gpus(K80), QueueQuota.guaranteed(0).withLimit(most)));
  }

  /** Returns the queue of movers with a limit of K80s, and that of the job for which they move. */
  private static QueueTree limitedBesideAnother(int most) {
    return QueueTree.of(
        QueueSpec.named("default")
            .withGpus(8)
            .with(QuotaResource.gpus(K80), QueueQuota.guaranteed(0).withLimit(most)),
        QueueSpec.named("other"));
  }

  private static ClusterEvent queues(QueueTree tree) {
    return new ClusterEvent.QueuesChanged(Instant.EPOCH, tree);
  }

  private static Session session(int moves, Node... nodes) {
    return new Session(options(moves, nodes).build());
  }

  /** Returns a session in which also those move who are where the job itself could not go. */
  private static Session ofAnotherPlacer(int moves, Node... nodes) {
    return new Session(options(moves, nodes).placer(new PlainPlacer()).build());
  }

  private static LiquidScheduler.Builder options(int moves, Node... nodes) {
    return LiquidScheduler.builder(cluster(nodes))
        .policy(Policies.bestEffortFifo())
        .preemption(PreemptionRules.NONE.moving(moves));
  }

  private static ClusterTopology cluster(Node... nodes) {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (Node node : nodes) {
      cluster.node(node);
    }
    return cluster.build();
  }

  private static Node node(String id, GpuModel model, int gpus) {
    return Node.builder(id).gpus(gpus, model, Memory.ofGib(16)).build();
  }

  /** Returns a job of one task that runs on V100s if it can. */
  private static JobSpec.Builder aJob(String id, int gpus) {
    return JobSpec.builder(id)
        .role("worker", 1, ResourceRequest.ofGpus(gpus))
        .gpuModels(List.of(V100, K80));
  }

  /** Returns a job that makes ten iterations per second alone. */
  private static JobSpec.Builder shared(String id, Sharing sharing) {
    return Session.aJob(id, 1)
        .workload(Workload.builder("w" + id).build())
        .expectedWork(ExpectedWork.of(Duration.ofSeconds(100), 1000))
        .gpuModels(List.of(V100, K80))
        .sharing(sharing);
  }
}
