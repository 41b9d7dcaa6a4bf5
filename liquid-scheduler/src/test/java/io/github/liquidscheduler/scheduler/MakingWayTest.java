package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A victim restarts elsewhere at once if it fits there. */
class MakingWayTest {

  private static final PreemptionRules MOVING = PreemptionRules.NONE.moving(4);

  @Test
  void aJobMovesWhereAnotherLeavesInTheSameTurn() {
    Session session = crossed(MOVING);

    assertThat(session.submit(aJob("urgent", 4).priority(1)))
        .containsExactly("preempt d", "migrate b", "start urgent");
  }

  @Test
  void nobodyMovesToANodeOnWhichAnotherTakesItsTimeToStop() {
    Session session = crossed(MOVING.gracePeriod(Duration.ofSeconds(30)));

    assertThat(session.submit(aJob("urgent", 4).priority(1)))
        .containsExactly("preempt d", "preempt b", "start urgent");
  }

  @Test
  void aJobMovesBesideOneThatTakesItsTimeToStopOnAnotherNode() {
    Session session = session(MOVING.gracePeriod(Duration.ofSeconds(30)), 4, 4);
    session.submit(aJob("b", 2));
    session.submit(aJob("a", 2).excludeNodes(List.of("n0")).preemptible(false));
    session.submit(aJob("d", 2).excludeNodes(List.of("n1")));

    assertThat(session.submit(aJob("urgent", 4).priority(1).excludeNodes(List.of("n1"))))
        .containsExactly("preempt d", "migrate b", "start urgent");
  }

  @Test
  void noJobMovesWhileAPreemptedOneIsStillStopping() {
    Session session = session(MOVING.gracePeriod(Duration.ofSeconds(30)), 4, 4);
    session.submit(aJob("b", 2));
    session.submit(aJob("s", 4).excludeNodes(List.of("n0")));
    session.submit(aJob("first", 2).priority(1).excludeNodes(List.of("n0")));
    assertThat(session.waiting()).containsExactly("s");

    assertThat(session.submit(aJob("urgent", 4).priority(1).excludeNodes(List.of("n1"))))
        .containsExactly("preempt b", "start urgent");
  }

  @Test
  void theLargerOfTwoFindsAPlaceFirst() {
    Session session = session(MOVING, 4, 4);
    session.submit(aJob("stays", 1).excludeNodes(List.of("n0")).preemptible(false));
    session.submit(aJob("filler", 3).excludeNodes(List.of("n0")));
    session.submit(aJob("small", 1));
    session.submit(aJob("large", 3));
    session.finish("filler");

    assertThat(session.submit(aJob("urgent", 4).priority(1)))
        .containsExactly("preempt small", "migrate large", "start urgent");
  }

  @Test
  void ofThoseWhoLeaveForAnotherQueueSomeGoOnElsewhere() {
    assertThat(takenBack(QueueQuota.guaranteed(4)))
        .containsExactly("preempt large", "migrate small", "start mine");
  }

  @Test
  void withUnlendableQuotaAllVictimsLeaveAndRestartWhereAllowed() {
    assertThat(takenBack(QueueQuota.guaranteed(4).withLendingLimit(3)))
        .containsExactly("preempt large", "preempt small", "start mine", "start small");
  }

  /** Returns what follows when a queue takes back four GPUs from one that holds seven. */
  private static List<String> takenBack(QueueQuota owed) {
    Session session =
        new Session(
            LiquidScheduler.builder(Session.cluster(4, 4))
                .policy(Policies.bestEffortFifo())
                .preemption(MOVING)
                .build());
    session.on(
        new ClusterEvent.QueuesChanged(
            Instant.EPOCH,
            QueueTree.of(
                QueueSpec.named("default").withGpus(3),
                QueueSpec.named("other").with(QuotaResource.GPUS, owed))));
    session.submit(aJob("stays", 3).excludeNodes(List.of("n1")));
    session.submit(aJob("filler", 1));
    session.submit(aJob("small", 1));
    session.submit(aJob("large", 3));
    session.finish("filler");

    return session.submit(aJob("mine", 4).queue("other"));
  }

  /** Returns a session in which b is on n0, a on n1 for good, and half of d on each of them. */
  private static Session crossed(PreemptionRules rules) {
    Session session = session(rules, 4, 4);
    session.submit(aJob("b", 2));
    session.submit(aJob("a", 2).excludeNodes(List.of("n0")).preemptible(false));
    session.submit(JobSpec.builder("d").role("worker", 2, ResourceRequest.ofGpus(2)));
    return session;
  }

  private static JobSpec.Builder aJob(String id, int gpus) {
    return JobSpec.builder(id).role("worker", 1, ResourceRequest.ofGpus(gpus));
  }

  private static Session session(PreemptionRules rules, int... gpus) {
    return new Session(
        LiquidScheduler.builder(Session.cluster(gpus))
            .policy(Policies.priority())
            .preemption(rules)
            .build());
  }
}
