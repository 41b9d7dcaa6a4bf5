package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.Retry;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The jobs tried in one turn, their order, and those tried again in it or in the next one. */
class QueueTurnsTest {

  private static final QueueSpec A = QueueSpec.named("a");
  private static final QueueSpec B = QueueSpec.named("b");

  @Test
  void theQueueThatHoldsLeastAfterAnEndIsServedFirst() {
    for (String ends : List.of("a", "b")) {
      Session one = session(Policies.bestEffortFifo(), 4);
      queues(one, A, B);
      for (String job : List.of("a1", "b1", "a2", "b2", "a3", "b3")) {
        one.submit(aJob(job, 1).queue(job.substring(0, 1)));
      }

      assertThat(one.finish(ends + "2")).containsExactly("start " + ends + "3");
    }
  }

  @Test
  void inOneTurnQueuesAreServedOneAfterTheOther() {
    Session one = session(Policies.bestEffortFifo(), 4);
    queues(one, A, B, QueueSpec.named("c").withGpus(4));
    one.submit(aJob("c1", 4).queue("c").preemptible(false));
    for (String job : List.of("a1", "a2", "a3", "b1", "b2", "b3")) {
      one.submit(aJob(job, 1).queue(job.substring(0, 1)));
    }

    assertThat(one.finish("c1")).containsExactly("start a1", "start b1", "start a2", "start b2");
  }

  /** All of them come back at once, and are of classes of their own. */
  @Test
  void alsoJobsThatAnEventHasMadeEligibleOneByOne() {
    Session one = session(Policies.bestEffortFifo(), 6);
    queues(one, A, B);
    List<String> all = List.of("a1", "a2", "a3", "b1", "b2", "b3");
    for (String job : all) {
      one.submit(aJob(job, 1).queue(job.substring(0, 1)).excludeNodes(List.of("no-" + job)));
    }
    for (String job : all) {
      one.at(5).fail(job, Failure.NOT_STARTED, Retry.now());
    }

    assertThat(one.at(15).pass())
        .containsExactly("start a1", "start b1", "start a2", "start b2", "start a3", "start b3");
  }

  @Test
  void aStartInAPartOfAQueuePutsItsOtherPartsBehindOtherQueues() {
    Session one = session(Policies.bestEffortFifo(), 4);
    queues(one, QueueSpec.named("lab"), A.in("lab"), B.in("lab"), QueueSpec.named("c"));
    List<String> all = List.of("a1", "b1", "c1");
    for (String job : all) {
      one.submit(aJob(job, 1).queue(job.substring(0, 1)));
    }
    for (String job : all) {
      one.at(5).fail(job, Failure.NOT_STARTED, Retry.now());
    }

    assertThat(one.at(15).pass()).containsExactly("start a1", "start c1", "start b1");
  }

  /** While it is tried first, the other queue holds no more than its share. */
  @Test
  void aJobTakesBackWhatAnotherQueueHasGotTooMuchOfInTheSameTurn() {
    Session two = session(Policies.bestEffortFifo(), 2, 2);
    queues(two, A, B);
    two.submit(on("n0", aJob("b1", 2).queue("b")));
    assertThat(two.submit(on("n0", aJob("a1", 2).queue("a")))).isEmpty();

    assertThat(two.submit(aJob("b2", 2).queue("b")))
        .containsExactly("start b2", "preempt b1", "start a1");
  }

  /** The first job of the other queue asks for even more, but the one behind it for its share. */
  @Test
  void nobodyStartsBeyondAShareWhoWouldBeReclaimedInTheNextTurn() {
    Session three = session(Policies.bestEffortFifo(), 3, 4, 1).stepByStep();
    nextToStartIsTheLargeJob(three);
    three.submit(on("n1", aJob("a2", 2).queue("a")));

    assertThat(three.at(9).finish("c1")).containsExactly("start a2");
    assertThat(three.scheduler.nextWakeUp()).isEmpty();
  }

  @Test
  void noImmediateTurnIsDueIfJustStartedJobsCannotHelp() {
    Session three = session(Policies.bestEffortFifo(), 3, 4, 1);
    nextToStartIsTheLargeJob(three);
    three.submit(on("n0", aJob("a2", 2).queue("a")));

    assertThat(three.at(9).finish("c1")).containsExactly("start large");
    assertThat(three.scheduler.nextWakeUp()).isEmpty();
  }

  /** No other job starts on the node where it needs three GPUs, and two stay with another. */
  @Test
  void norWhereItWouldNotBeEnough() {
    Session five = session(Policies.bestEffortFifo(), 3, 4, 1, 1, 1);
    queues(five, A, B, QueueSpec.named("c").withGpus(6));
    five.submit(on("n0", aJob("a1", 1).queue("a")));
    five.submit(on("n1", aJob("c1", 2).queue("c").preemptible(false)));
    five.submit(aJob("c2", 4).queue("c").preemptible(false).excludeNodes(List.of("n0", "n4")));
    five.submit(on("n4", aJob("b1", 1).queue("b")));
    five.submit(aJob("large", 4).queue("b").excludeNodes(List.of("n0")));
    five.submit(aJob("too large", 10).queue("a"));
    five.submit(JobSpec.builder("a2").role("worker", 1, ResourceRequest.ofGpus(3)).queue("a"));

    assertThat(five.at(9).finish("c2")).containsExactly("start large");
    assertThat(five.scheduler.nextWakeUp()).isEmpty();
  }

  private static void nextToStartIsTheLargeJob(Session session) {
    queues(session, A, B, QueueSpec.named("c").withGpus(4));
    session.submit(on("n0", aJob("a1", 2).queue("a")));
    session.submit(on("n1", aJob("c1", 4).queue("c").preemptible(false)));
    session.submit(on("n2", aJob("b1", 1).queue("b")));
    session.submit(on("n1", aJob("large", 4).queue("b")));
    session.submit(aJob("too large", 8).queue("a"));
  }

  @Test
  void aJobHeldByAQueueLimitIsTriedEverywhereOnceReleased() {
    Session two = session(Policies.bestEffortFifo(), 4, 4);
    queues(two, withoutShare("a", 4), B);
    two.submit(on("n0", aJob("a1", 4).queue("a")));
    two.submit(on("n1", aJob("a2", 2).queue("a")));
    two.submit(on("n1", aJob("a3", 2).queue("a")));

    assertThat(two.finish("a1")).containsExactly("start a2", "start a3");
  }

  @Test
  void itIsTriedAlsoIfSomethingElseHasHappenedBetween() {
    Session two = session(Policies.bestEffortFifo(), 4, 4);
    queues(two, withoutShare("a", 4), B);
    two.submit(on("n0", aJob("a1", 4).queue("a")));
    two.submit(on("n1", aJob("a2", 2).queue("a")));
    two.submit(on("n1", aJob("b1", 1).queue("b")));

    assertThat(two.finish("a1")).containsExactly("start a2");
  }

  @Test
  void itIsTriedAlsoIfTheLimitIsRaised() {
    Session two = session(Policies.bestEffortFifo(), 4, 4);
    queues(two, withoutShare("a", 4), B);
    two.submit(on("n0", aJob("a1", 4).queue("a")));
    two.submit(on("n1", aJob("a2", 2).queue("a")));

    assertThat(queues(two, withoutShare("a", 6), B)).containsExactly("start a2");
  }

  @Test
  void whoHasJustStartedMovesInTheNextTurnWhichIsDueAtOnce() {
    Session two =
        new Session(
            LiquidScheduler.builder(cluster(2, 2))
                .policy(Policies.bestEffortFifo())
                .preemption(PreemptionRules.NONE.moving(1))
                .build());
    two.stepByStep();
    queues(two, A, B, QueueSpec.named("c").withGpus(4));
    two.submit(aJob("c1", 4).queue("c").preemptible(false));
    two.submit(aJob("a1", 1).queue("a"));
    two.submit(on("n0", aJob("b1", 2).queue("b")));

    assertThat(two.at(9).finish("c1")).containsExactly("start a1");
    assertThat(two.scheduler.nextWakeUp()).contains(two.now().plusNanos(1));
    assertThat(two.pass()).isEmpty();
    assertThat(two.passNext()).containsExactly("migrate a1", "start b1");
    assertThat(two.scheduler.nextWakeUp()).isEmpty();
  }

  /** What grows while its queue may not hold it is not counted for it. */
  @Test
  void capacityThatGrewWhileAQueueWasAtItsLimitIsUsedOnceItIsNot() {
    Session one = session(Policies.bestEffortFifo(), 6);
    queues(one, withoutShare("a", 4), B);
    one.submit(aJob("b1", 3).queue("b"));
    one.submit(aJob("b2", 1).queue("b"));
    one.submit(aJob("gang", 3).queue("a"));
    one.submit(aJob("small", 2).queue("a"));

    assertThat(one.finish("b1")).isEmpty();
    assertThat(one.finish("small")).containsExactly("start gang");
  }

  @Test
  void aJobWithinItsParentsLimitReclaimsOnceOthersRequestLess() {
    Session one = session(Policies.bestEffortFifo(), 8);
    queues(
        one,
        QueueSpec.named("lab").with(QuotaResource.GPUS, QueueQuota.guaranteed(0).withLimit(4)),
        A.in("lab"),
        B.in("lab"),
        QueueSpec.named("c").in("lab"));
    for (String job : List.of("a1", "a2", "a3", "a4")) {
      one.submit(aJob(job, 1).queue("a"));
    }
    one.submit(aJob("c1", 8).queue("c"));
    assertThat(one.submit(aJob("b1", 2).queue("b"))).isEmpty();

    assertThat(one.cancel("c1")).containsExactly("preempt a4", "preempt a3", "start b1");
  }

  /** The first in turn of them may not take anything back, and fits once another has. */
  @Test
  void whatAPreemptionLeavesOverIsForThoseWhoWereTriedBefore() {
    Session one = session(Policies.priority(), 6);
    queues(one, A.withGpus(2), B.withGpus(4));
    one.submit(aJob("a1", 2).queue("a").priority(3));
    one.submit(aJob("b1", 4).queue("b"));
    assertThat(one.submit(aJob("a2", 2).queue("a").priority(3))).isEmpty();

    assertThat(one.submit(aJob("b2", 2).queue("b").priority(5)))
        .containsExactly("preempt b1", "start b2", "start a2");
  }

  /** All three come back at once, and the queue of the first two is served first. */
  @Test
  void alsoForThoseWhoWereTriedBeforeInTheSameTurn() {
    Session two = session(Policies.bestEffortFifo(), 4, 1);
    queues(two, owed("a", 1).withPriority(1), owed("b", 2), owed("c", 1), owed("guests", 0));
    two.submit(on("n1", aJob("a1", 1).queue("a")));
    two.submit(on("n0", aJob("a2", 2).queue("a")));
    two.submit(on("n0", aJob("b1", 2).queue("b")));
    for (String job : List.of("a1", "a2", "b1")) {
      two.at(5).fail(job, Failure.NOT_STARTED, Retry.now());
    }
    two.submit(on("n1", aJob("c1", 1).queue("c").preemptible(false)));
    two.submit(on("n0", aJob("guest", 4).queue("guests")));

    assertThat(two.at(15).pass()).containsExactly("preempt guest", "start b1", "start a2");
  }

  @Test
  void aPreemptionForgetsNoJobReleasedByALimit() {
    Session two = session(Policies.bestEffortFifo(), 4, 2);
    queues(two, withoutShare("a", 2), owed("b", 4), owed("guests", 0));
    two.submit(on("n0", aJob("b1", 4).queue("b")));
    two.at(5).fail("b1", Failure.NOT_STARTED, Retry.now());
    two.submit(on("n0", aJob("a1", 2).queue("a")));
    two.submit(on("n0", aJob("guest", 2).queue("guests")));
    two.submit(on("n1", aJob("a2", 2).queue("a")));

    assertThat(two.at(15).finish("a1")).containsExactly("preempt guest", "start b1", "start a2");
  }

  /** Returns a queue to which no more is due than is guaranteed. */
  static QueueSpec owed(String queue, int gpus) {
    return QueueSpec.named(queue)
        .with(QuotaResource.GPUS, QueueQuota.guaranteed(gpus).withWeight(0));
  }

  static QueueSpec withoutShare(String queue, int limit) {
    return QueueSpec.named(queue)
        .with(QuotaResource.GPUS, QueueQuota.BEST_EFFORT.withWeight(0).withLimit(limit));
  }

  static JobSpec.Builder on(String node, JobSpec.Builder job) {
    return job.nodeLabel("name", node);
  }

  static List<String> queues(Session session, QueueSpec... queues) {
    return session.on(new ClusterEvent.QueuesChanged(Instant.EPOCH, QueueTree.of(queues)));
  }

  static Session session(SchedulingPolicy policy, int... gpus) {
    return new Session(LiquidScheduler.builder(cluster(gpus)).policy(policy).build());
  }

  /** Returns nodes n0, n1, … with the given numbers of GPUs. */
  private static ClusterTopology cluster(int... gpus) {
    ClusterTopology.Builder cluster = ClusterTopology.builder();
    for (int n = 0; n < gpus.length; n++) {
      cluster.node(
          Node.builder("n" + n)
              .gpus(gpus[n], GpuModel.of("V100"), Memory.ofGib(16))
              .label("name", "n" + n)
              .build());
    }
    return cluster.build();
  }
}
