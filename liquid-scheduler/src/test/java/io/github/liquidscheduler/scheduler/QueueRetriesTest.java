package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which changes have a job be tried again that stands in a tree of queues and did not fit. */
class QueueRetriesTest {

  @Test
  void aJobBeyondItsQueuesShareStartsOnceCapacityGrowsWhereItFits() {
    Session two = session(Policies.bestEffortFifo(), 4, 4);
    submit(two, "a", "a1", 4);
    submit(two, "b", "b1", 4);
    assertThat(submit(two, "a", "a2", 3)).isEmpty();

    assertThat(two.finish("b1")).containsExactly("start a2");
  }

  @Test
  void tooLittleCapacityHelpsOnceItGrowsFurther() {
    Session one = session(Policies.bestEffortFifo(), 4);
    submit(one, "a", "a1", 2);
    submit(one, "b", "b1", 1);
    submit(one, "b", "b2", 1);
    assertThat(submit(one, "a", "a2", 2)).isEmpty();

    assertThat(one.finish("b1")).isEmpty();
    assertThat(one.finish("b2")).containsExactly("start a2");
  }

  @Test
  void aJobTakesSomethingBackOnceAnotherQueueAsksForLess() {
    Session one = session(Policies.bestEffortFifo(), 8);
    for (int job = 1; job <= 8; job++) {
      submit(one, "c", "c" + job, 1);
    }
    submit(one, "b", "b1", 8);
    assertThat(submit(one, "a", "a1", 4)).isEmpty();

    assertThat(one.cancel("b1"))
        .containsExactly("preempt c8", "preempt c7", "preempt c6", "preempt c5", "start a1");
  }

  @Test
  void aJobReclaimsOnceTheNodeOfUselessVictimsDrains() {
    Session three = session(Policies.bestEffortFifo(), 2, 1, 1);
    submit(three, "b", "b1", 2);
    submit(three, "b", "b2", 1);
    submit(three, "b", "b3", 1);
    TopologyConstraint oneNode = TopologyConstraint.required("node");
    assertThat(three.submit(aJob("a1", 2).queue("a").topology(oneNode))).isEmpty();

    assertThat(three.drain("n1")).containsExactly("preempt b1", "start a1");
  }

  @Test
  void aJobPreemptsAnotherOfItsQueueThatTookSomethingBackForIt() {
    Session one = session(Policies.priority(), 4);
    submit(one, "b", "b1", 2);
    submit(one, "b", "b2", 2);
    assertThat(one.submit(aJob("large", 3).queue("a").priority(9))).isEmpty();

    assertThat(one.submit(aJob("small", 2).queue("a").priority(1)))
        .containsExactly("preempt b2", "start small");
    one.cancel("b2");
    assertThat(one.finish("b1")).containsExactly("preempt small", "start large");
  }

  @Test
  void aFailedTryOfALowerRankDoesNotSuppressAHigherRank() {
    Session one = Session.of(Policies.priority(), 1);
    one.submit(aJob("first", 1).priority(9));
    one.submit(aJob("high", 1).priority(3));
    one.submit(aJob("other", 1).priority(2).queue("other"));
    one.submit(aJob("low", 1).priority(2));
    one.cancel("high");

    assertThat(one.finish("first")).containsExactly("start other");
    assertThat(one.submit(aJob("again", 1).priority(3)))
        .containsExactly("preempt other", "start again");
  }

  @Test
  void aCopyRemembersAndGoesItsOwnWay() {
    Session one = session(Policies.bestEffortFifo(), 4);
    submit(one, "a", "a1", 2);
    submit(one, "b", "b1", 2);
    submit(one, "a", "a2", 2);
    Scheduler copy = one.scheduler.copy();

    assertThat(copy.nextWakeUp()).isEqualTo(one.scheduler.nextWakeUp());
    assertThat(one.finish("b1")).containsExactly("start a2");
    assertThat(copy.waiting()).hasSize(1);
  }

  private static Session session(SchedulingPolicy policy, int... gpus) {
    Session session = Session.of(policy, gpus);
    session.on(
        new ClusterEvent.QueuesChanged(
            Instant.EPOCH,
            QueueTree.of(QueueSpec.named("a"), QueueSpec.named("b"), QueueSpec.named("c"))));
    return session;
  }

  private static List<String> submit(Session session, String queue, String job, int gpus) {
    return session.submit(aJob(job, gpus).queue(queue));
  }
}
