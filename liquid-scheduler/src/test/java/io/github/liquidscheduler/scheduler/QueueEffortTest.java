package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The number of placements tried where queues are in a tree: none for jobs for which nothing
 * changed.
 */
class QueueEffortTest {

  private final CountingPlacer placer = new CountingPlacer();

  @Test
  void aJobWithoutVictimsIsNotRetriedForNewRequestsOfOthers() {
    placer.isCapacityBound = true;
    Session three = session(Policies.bestEffortFifo(), 2, 1, 1);
    othersAreInTheWay(three);
    submit(three, "b", "b4", 1);
    placer.searches = 0;

    assertThat(submit(three, "b", "b5", 1)).isEmpty();
    assertThat(placer.searches).isZero();
  }

  /** The jobs above their shares are on nodes of one GPU, and the job needs two of one node. */
  private static void othersAreInTheWay(Session three) {
    submit(three, "b", "b1", 2);
    submit(three, "b", "b2", 1);
    submit(three, "b", "b3", 1);
    TopologyConstraint oneNode = TopologyConstraint.required("node");
    assertThat(three.submit(aJob("a1", 2).queue("a").topology(oneNode))).isEmpty();
  }

  @Test
  void whereMoreThanCapacityDecidesItIsTriedAgain() {
    Session three = session(Policies.bestEffortFifo(), 2, 1, 1);
    othersAreInTheWay(three);
    submit(three, "b", "b4", 1);
    placer.searches = 0;

    assertThat(submit(three, "b", "b5", 1)).isEmpty();
    assertThat(placer.searches).isPositive();
  }

  @Test
  void aQueueAboveItsShareIsNotRetriedForNewRequestsOfOthers() {
    Session one = session(Policies.bestEffortFifo(), 4);
    submit(one, "a", "a1", 2);
    submit(one, "b", "b1", 2);
    submit(one, "a", "a2", 1);
    submit(one, "b", "b2", 1);
    placer.searches = 0;

    assertThat(submit(one, "b", "b3", 1)).isEmpty();
    assertThat(placer.searches).isZero();
  }

  @Test
  void alsoIfItCouldPreemptOthersOfItsQueueWereItOfHigherPriority() {
    placer.isCapacityBound = true;
    Session one = session(Policies.priority(), 4);
    submit(one, "a", "a1", 2);
    submit(one, "b", "b1", 2);
    submit(one, "a", "a2", 1);
    submit(one, "b", "b2", 1);
    placer.searches = 0;

    assertThat(submit(one, "b", "b3", 1)).isEmpty();
    assertThat(placer.searches).isZero();
  }

  @Test
  void underAPolicyThatBlocksNeitherTheHeadNorWhoIsBehindIsTriedForJobsOfOthers() {
    placer.isCapacityBound = true;
    Session one = session(Policies.fifo(), 8);
    submit(one, "b", "b1", 1);
    submit(one, "a", "a1", 6);
    submit(one, "a", "a2", 4);
    submit(one, "a", "a3", 1);
    placer.searches = 0;

    assertThat(submit(one, "b", "b2", 1)).containsExactly("start b2");
    assertThat(placer.searches).isEqualTo(1);
  }

  @Test
  void whereEnoughCannotLeaveNobodyIsTakenOutInVain() {
    placer.isCapacityBound = true;
    Session three = session(Policies.bestEffortFifo(), 2, 1, 1);
    othersAreInTheWay(three);
    placer.searches = 0;

    assertThat(three.finish("b3")).isEmpty();
    assertThat(placer.searches).isZero();
  }

  private static List<String> submit(Session session, String queue, String job, int gpus) {
    return session.submit(aJob(job, gpus).queue(queue));
  }

  private static void queues(Session session, QueueSpec... queues) {
    session.on(new ClusterEvent.QueuesChanged(Instant.EPOCH, QueueTree.of(queues)));
  }

  private Session session(SchedulingPolicy policy, int... gpus) {
    Session session =
        new Session(
            LiquidScheduler.builder(Session.cluster(gpus)).policy(policy).placer(placer).build());
    queues(session, QueueSpec.named("a"), QueueSpec.named("b"));
    return session;
  }
}
