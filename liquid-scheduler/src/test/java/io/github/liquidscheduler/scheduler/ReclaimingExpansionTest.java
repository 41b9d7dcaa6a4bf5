package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.ResizeCost;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.ResizeStep;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Running jobs that get larger by what others have to give; sizes last for ten seconds. */
class ReclaimingExpansionTest {

  @Test
  void aJobTakesBackWhatIsDueToItsQueueTaskByTask() {
    Session session = session(elasticity(), 4);
    queues(session, QueueSpec.named("a").withGpus(2), QueueSpec.named("b").withGpus(2));
    gpus(session, "other", "a", 0, 4);
    pass(session, 11);
    gpus(session.at(25), "mine", "b", 0, 2);
    assertThat(sizes(session, "other", "mine")).containsExactly(3, 1);
    switchAll(session);

    List<Decision> decisions = pass(session, 40);

    assertThat(sizes(session, "other", "mine")).containsExactly(2, 2);
    assertThat(decisions)
        .extracting(Decision.Resize.class::cast)
        .extracting(resize -> resize.why().getClass().getSimpleName())
        .containsExactly("MadeSmaller", "NetGain");
    session.pass();
    assertThat(session.scheduler.nextWakeUp()).isNotEqualTo(Optional.of(session.now()));
  }

  @Test
  void aJobOfHigherPriorityTakesTheSurplusOfItsOwnQueue() {
    Session session = session(elasticity(), 3);
    queues(session, QueueSpec.named("a"));
    gpus(session, "low", "a", 0, 2);
    gpus(session, "high", "a", 5, 2);
    pass(session, 11);
    assertThat(sizes(session, "low", "high")).containsExactly(2, 1);

    pass(session, 25);

    assertThat(sizes(session, "low", "high")).containsExactly(1, 2);
  }

  @Test
  void othersMoveForTheTasksOfAJobThatGetsLarger() {
    Session session = session(elasticity(), 4, 5);
    queues(session, QueueSpec.named("a"));
    session.submit(JobSpec.builder("small").queue("a").gpus(1));
    session.submit(
        JobSpec.builder("pair")
            .queue("a")
            .role(new TaskRole("w", 2, ResourceRequest.ofGpus(4)).atLeast(1)));

    pass(session, 11);

    assertThat(sizes(session, "small", "pair")).containsExactly(1, 2);
  }

  @Test
  void siblingsBelowAQueueLimitReclaimTasksWithoutGpus() {
    Session session = session(elasticity(), 1);
    QueueQuota own = QueueQuota.guaranteed(1);
    queues(
        session,
        QueueSpec.named("lab").with(QuotaResource.CPU, QueueQuota.guaranteed(0).withLimit(4)),
        QueueSpec.named("a").in("lab").with(QuotaResource.CPU, own),
        QueueSpec.named("b").in("lab").with(QuotaResource.CPU, own));
    cores(session, "other", "a");
    pass(session, 11);
    cores(session.at(12), "mine", "b");
    assertThat(sizes(session, "other", "mine")).containsExactly(3, 1);

    pass(session, 25);

    assertThat(sizes(session, "other", "mine")).containsExactly(2, 2);
  }

  @Test
  void growthByEvictionContinuesAtOnce() {
    Session session = session(elasticity(), 4);
    queues(session, QueueSpec.named("a"), QueueSpec.named("b"));
    gpus(session, "mine", "b", 0, 2);
    for (String job : List.of("a1", "a2", "a3")) {
      session.submit(JobSpec.builder(job).queue("a").gpus(1));
    }

    List<Decision> decisions = passOnce(session, 12);

    assertThat(decisions).hasSize(2);
    assertThat(decisions.getFirst())
        .isInstanceOfSatisfying(
            Decision.Preempt.class,
            preempt -> {
              assertThat(preempt.job()).isEqualTo(JobId.of("a3"));
              assertThat(preempt.why()).isInstanceOf(Reason.Reclaimed.class);
            });
    assertThat(sizes(session, "mine")).containsExactly(2);
    assertThat(session.scheduler.nextWakeUp()).contains(Instant.ofEpochSecond(12));
    switchAll(session);
    assertThat(session.pass()).isEmpty();
    assertThat(session.scheduler.nextWakeUp()).isNotEqualTo(Optional.of(session.now()));
  }

  @Test
  void whoHasJustStartedGivesNothing() {
    Session session = session(elasticity(), 4);
    queues(session, QueueSpec.named("a"), QueueSpec.named("b"));
    gpus(session, "mine", "b", 0, 2);

    assertThat(session.at(10).submit(JobSpec.builder("new").queue("a").gpus(3)))
        .containsExactly("start new");
    assertThat(sizes(session, "mine")).containsExactly(1);
  }

  @Test
  void aJobThatFindsNothingToTakeIsNotDueAtOnce() {
    Session session = session(elasticity(), 4);
    queues(session, QueueSpec.named("a"), QueueSpec.named("b"));
    gpus(session, "mine", "b", 0, 3);
    session.submit(JobSpec.builder("b1").queue("b").gpus(1));
    session.submit(JobSpec.builder("a1").queue("a").gpus(2));

    assertThat(pass(session, 12)).isEmpty();
    assertThat(session.scheduler.nextWakeUp()).isNotEqualTo(Optional.of(session.now()));
  }

  @Test
  void nobodyGetsLargerThanTheLimitOfItsQueueByWhatOthersHave() {
    Session session = session(elasticity(), 4);
    queues(
        session,
        QueueSpec.named("a"),
        QueueSpec.named("b").with(QuotaResource.GPUS, QueueQuota.guaranteed(0).withLimit(1)));
    gpus(session, "mine", "b", 0, 2);
    session.submit(JobSpec.builder("a1").queue("a").gpus(3));

    assertThat(pass(session, 12)).isEmpty();
    assertThat(sizes(session, "mine")).containsExactly(1);
    assertThat(session.scheduler.nextWakeUp()).isNotEqualTo(Optional.of(session.now()));
  }

  @Test
  void whoRanksFirstTakesFirst() {
    Session session = session(elasticity(), 4);
    queues(session, QueueSpec.named("a"), QueueSpec.named("b"));
    session.submit(JobSpec.builder("a1").queue("a").gpus(1));
    session.submit(JobSpec.builder("a2").queue("a").gpus(1));
    gpus(session, "low", "b", 0, 2);
    gpus(session, "high", "b", 5, 2);
    session.on(
        new ClusterEvent.QueuesChanged(
            session.now(),
            QueueTree.of(QueueSpec.named("a").withGpus(1), QueueSpec.named("b").withGpus(3))));

    pass(session, 12);

    assertThat(sizes(session, "low", "high")).containsExactly(1, 2);
  }

  @Test
  void afterEightInVainTheOthersWaitForTheNextTurn() {
    for (int inVain : List.of(7, 8)) {
      Session session = session(elasticity(), inVain + 3);
      queues(
          session,
          limited("a", inVain).withPriority(1),
          QueueSpec.named("b").withGpus(2),
          QueueSpec.named("c"));
      for (int job = 0; job < inVain; job++) {
        gpus(session, "vain" + job, "a", 0, 2);
      }
      gpus(session, "mine", "b", 0, 2);
      session.submit(JobSpec.builder("c1").queue("c").gpus(2));

      pass(session, 12);

      assertThat(sizes(session, "mine")).containsExactly(inVain < 8 ? 2 : 1);
    }
  }

  @Test
  void thoseAreNotCountedWhoCannotGetLarger() {
    Session session = session(elasticity(), 19);
    queues(
        session,
        limited("a", 16).withPriority(1),
        QueueSpec.named("b").withGpus(2),
        QueueSpec.named("c"));
    for (int job = 0; job < 8; job++) {
      gpus(session, "large" + job, "a", 0, 2);
    }
    pass(session, 12);
    gpus(session, "mine", "b", 0, 2);
    session.submit(JobSpec.builder("c1").queue("c").gpus(2));

    pass(session, 25);

    assertThat(sizes(session, "large0", "large7", "mine")).containsExactly(2, 2, 2);
  }

  @Test
  void aJobWhoseQueueMayHoldNoMoreOfItsModelKeepsItsSizeWithinTheTurn() {
    ClusterTopology cluster =
        ClusterTopology.builder()
            .node(Node.builder("k").gpus(4, GpuModel.of("K80"), Memory.ofGib(12)).build())
            .node(Node.builder("a").gpus(4, GpuModel.of("A100"), Memory.ofGib(40)).build())
            .build();
    Session session = session(elasticity(), cluster);
    queues(
        session,
        QueueSpec.named("q").withGpus(6).with(gpus("K80"), QueueQuota.guaranteed(1).withLimit(1)),
        QueueSpec.named("r"));
    session.at(1).submit(of("A100", "fast", 4));
    gpus(session, "mine", "q", 0, 6);
    session.at(3).submit(of("K80", "slow", 3));

    session.at(100).pass();

    assertThat(session.running()).containsExactlyInAnyOrder("fast", "mine", "slow");
    assertThat(sizes(session, "mine")).containsExactly(1);
  }

  private static QuotaResource gpus(String model) {
    return QuotaResource.gpus(GpuModel.of(model));
  }

  private static JobSpec.Builder of(String model, String id, int gpus) {
    return JobSpec.builder(id).queue("r").gpus(gpus).gpuModels(List.of(GpuModel.of(model)));
  }

  private static QueueSpec limited(String queue, int gpus) {
    return QueueSpec.named(queue)
        .with(QuotaResource.GPUS, QueueQuota.guaranteed(gpus).withLimit(gpus));
  }

  @Test
  void ofSeveralRolesThoseGetTasksThatGrowOnTheNodeOfTheOthers() {
    Session session = session(elasticity(), 3, 3);
    queues(session, QueueSpec.named("a"), QueueSpec.named("b"));
    session.submit(
        JobSpec.builder("mine")
            .queue("b")
            .topology(TopologyConstraint.required("node"))
            .role(new TaskRole("chief", 1, ResourceRequest.ofGpus(1)))
            .role(new TaskRole("w", 2, ResourceRequest.ofGpus(1)).atLeast(1)));
    for (String job : List.of("a1", "a2", "a3", "a4")) {
      session.submit(JobSpec.builder(job).queue("a").gpus(1));
    }

    pass(session, 12);

    Placement place = session.scheduler.view().placement(JobId.of("mine")).orElseThrow();
    assertThat(place.nodes()).hasSize(1);
    assertThat(place.tasks())
        .extracting(task -> task.task().role() + " " + task.task().index())
        .containsExactly("chief 0", "w 0", "w 1");
  }

  @Test
  void ifNotAskedForNobodyGivesAnythingToAJobThatRuns() {
    Session session =
        session(
            Elasticity.by(SizingPolicy.marginalGain())
                .coolDown(Duration.ofSeconds(10))
                .worthwhile(0)
                .cost(ResizeCost.NONE)
                .startSmall(),
            3);
    queues(session, QueueSpec.named("a"));
    gpus(session, "low", "a", 0, 2);
    gpus(session, "high", "a", 5, 2);
    pass(session, 11);

    assertThat(pass(session, 25)).isEmpty();
    assertThat(sizes(session, "low", "high")).containsExactly(2, 1);
  }

  private static Session session(Elasticity.Builder elasticity, int... gpus) {
    return session(elasticity, Session.cluster(gpus));
  }

  private static Session session(Elasticity.Builder elasticity, ClusterTopology cluster) {
    return new Session(
        LiquidScheduler.builder(cluster)
            .policy(Policies.priority())
            .preemption(PreemptionRules.NONE.moving(4))
            .elasticity(elasticity.build())
            .build());
  }

  private static Elasticity.Builder elasticity() {
    return Elasticity.by(SizingPolicy.marginalGain())
        .coolDown(Duration.ofSeconds(10))
        .worthwhile(0)
        .cost(ResizeCost.NONE)
        .startSmall()
        .preemptToGrow();
  }

  private static void queues(Session session, QueueSpec... queues) {
    session.on(new ClusterEvent.QueuesChanged(Instant.EPOCH, QueueTree.of(queues)));
  }

  private static void gpus(Session session, String id, String queue, int priority, int most) {
    TaskRole role = new TaskRole("w", most, ResourceRequest.ofGpus(1)).atLeast(1);
    session.submit(JobSpec.builder(id).queue(queue).priority(priority).role(role));
  }

  private static void cores(Session session, String id, String queue) {
    ResourceRequest one = ResourceRequest.builder().cpu(CpuCores.of(1)).build();
    session.submit(JobSpec.builder(id).queue(queue).role(new TaskRole("w", 3, one).atLeast(1)));
  }

  /** Has time pass, and jobs switch to their new sizes at once; returns what was decided. */
  private static List<Decision> pass(Session session, int second) {
    passOnce(session, second);
    return switchAll(session);
  }

  private static List<Decision> passOnce(Session session, int second) {
    session.at(second).pass();
    return session.last();
  }

  private static List<Decision> switchAll(Session session) {
    List<Decision> decisions = session.last();
    for (Decision decision : decisions) {
      if (decision instanceof Decision.Resize resize) {
        session.on(
            new ClusterEvent.ResizeReported(
                session.now(), resize.job(), resize.number(), ResizeStep.SWITCHED));
      }
    }
    return decisions;
  }

  private static List<Integer> sizes(Session session, String... ids) {
    return Stream.of(ids)
        .map(id -> session.scheduler.view().placement(JobId.of(id)).orElseThrow().tasks().size())
        .toList();
  }
}
