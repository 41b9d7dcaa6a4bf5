package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A queue that may hold no more serves its jobs by their priorities. */
class PreemptionAtLimitTest {

  private final Session session = Session.of(Policies.priority(), 8);

  @Test
  void atTheQueueLimitAHigherPriorityJobReplacesALowerOneDespiteFreeGpus() {
    queues(session, limited("a", 0, 4), QueueSpec.named("b"));
    submit("a", "low", 0, 4);

    assertThat(submit("a", "high", 9, 2)).containsExactly("preempt low", "start high");
    assertThat(session.finish("high")).containsExactly("start low");
  }

  @Test
  void noMoreLeaveThanTheLimitCallsFor() {
    queues(session, limited("a", 0, 4), QueueSpec.named("b"));
    submit("a", "first", 0, 1);
    submit("a", "second", 0, 1);
    submit("a", "third", 0, 2);

    assertThat(submit("a", "high", 9, 3))
        .containsExactly("preempt third", "preempt second", "start high");
  }

  @Test
  void nobodyLeavesForAJobOfTheSamePriorityOrOfAnotherQueue() {
    queues(session, limited("a", 0, 4), limited("b", 0, 2));
    submit("a", "a1", 5, 4);
    submit("b", "b1", 0, 2);

    assertThat(submit("a", "a2", 5, 2)).isEmpty();
    assertThat(submit("a", "a3", 9, 6)).isEmpty();
    assertThat(submit("b", "b2", 9, 4)).isEmpty();
  }

  @Test
  void theSameHoldsAtAParentsLimitWithIdleSiblings() {
    queues(
        session, limited("lab", 0, 4), QueueSpec.named("vision").in("lab"), QueueSpec.named("b"));
    submit("vision", "low", 0, 4);

    assertThat(submit("vision", "high", 9, 4)).containsExactly("preempt low", "start high");
  }

  @Test
  void otherPartsLoseWhatIsNotDueToThemBeforeItsOwnQueueDoes() {
    queues(
        session,
        limited("lab", 0, 4),
        QueueSpec.named("vision").in("lab"),
        QueueSpec.named("speech").in("lab"));
    submit("vision", "own", 0, 1);
    submit("speech", "s1", 0, 1);
    submit("speech", "s2", 0, 2);

    assertThat(submit("vision", "high", 9, 1)).containsExactly("preempt s2", "start high");
  }

  @Test
  void thatIsSoInATreeWhoseQueuesTakeNothingBack() {
    session.on(
        new ClusterEvent.QueuesChanged(
            Instant.EPOCH,
            QueueTree.of(List.of(limited("a", 0, 4), limited("b", 0, 8))).with(Reclaiming.NEVER)));
    submit("a", "low", 0, 4);

    assertThat(submit("a", "high", 9, 4)).containsExactly("preempt low", "start high");
  }

  @Test
  void nonPreemptibleJobsStayWithinTheGuaranteedQuota() {
    queues(session, limited("a", 2, 4), QueueSpec.named("b"));
    submit("a", "low", 0, 4);

    assertThat(session.submit(aJob("firm", 3).queue("a").priority(9).preemptible(false))).isEmpty();
    assertThat(session.submit(aJob("less", 2).queue("a").priority(9).preemptible(false)))
        .containsExactly("preempt low", "start less");
  }

  @Test
  void itIsTriedAgainOnceCapacityGrowsWhereItMayRun() {
    Session two =
        new Session(
            LiquidScheduler.builder(
                    ClusterTopology.builder()
                        .node(node("n0").label("disk", "ssd").build())
                        .node(node("n1").build())
                        .build())
                .policy(Policies.priority())
                .build());
    queues(two, limited("a", 0, 4), QueueSpec.named("b").withGpus(4));
    two.submit(aJob("b1", 4).queue("b").nodeLabel("disk", "ssd"));
    two.submit(aJob("low", 4).queue("a"));

    assertThat(two.submit(aJob("high", 4).queue("a").priority(9).nodeLabel("disk", "ssd")))
        .isEmpty();
    assertThat(two.finish("b1")).containsExactly("preempt low", "start high");
  }

  private static Node.Builder node(String id) {
    return Node.builder(id).gpus(4, GpuModel.of("V100"), Memory.ofGib(16));
  }

  private List<String> submit(String queue, String job, int priority, int gpus) {
    return session.submit(aJob(job, gpus).queue(queue).priority(priority));
  }

  private static QueueSpec limited(String name, int guaranteed, int limit) {
    return QueueSpec.named(name)
        .with(QuotaResource.GPUS, QueueQuota.guaranteed(guaranteed).withLimit(limit));
  }

  private static void queues(Session session, QueueSpec... queues) {
    session.on(new ClusterEvent.QueuesChanged(Instant.EPOCH, QueueTree.of(List.of(queues))));
  }
}
