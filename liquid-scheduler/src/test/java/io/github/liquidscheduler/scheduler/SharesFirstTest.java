package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Jobs within the shares of their queues start before those beyond them. */
class SharesFirstTest {

  @Test
  void aJobBehindOneBeyondTheShareOfItsQueueStartsBeforeAnotherQueueBorrows() {
    for (Reclaiming form : List.of(Reclaiming.COMPUTED_SHARES, Reclaiming.DOMINANT_SHARES)) {
      Session one = twoQueues(Policies.bestEffortFifo(), form);

      assertThat(one.at(60).finish("c")).as("%s", form).containsExactly("start z2");
      assertThat(one.running()).as("%s", form).containsExactlyInAnyOrder("a", "b", "z2");
    }
  }

  @Test
  void itDoesSoUnderAnyPolicyThatLetsJobsBypass() {
    for (SchedulingPolicy policy :
        List.of(Policies.priority(), Policies.leastAttainedService(), Policies.fairShare())) {
      Session one = twoQueues(policy, Reclaiming.COMPUTED_SHARES);

      assertThat(one.at(60).finish("c")).as(policy.name()).containsExactly("start z2");
    }
  }

  @Test
  void whatNobodyWithinAShareTakesIsLent() {
    Session one = twoQueues(Policies.bestEffortFifo(), Reclaiming.COMPUTED_SHARES);
    one.cancel("z2");

    assertThat(one.at(60).finish("c")).containsExactly("start x2");
  }

  @Test
  void aQueueWhoseHeadBlocksLendsToOthers() {
    Session one = twoQueues(Policies.fifo(), Reclaiming.COMPUTED_SHARES);

    assertThat(one.at(60).finish("c")).containsExactly("start x2");
  }

  @Test
  void aJobThatDoesNotFitLetsOthersBorrow() {
    Session two = Session.of(Policies.bestEffortFifo(), 4, 4);
    tree(two, Reclaiming.COMPUTED_SHARES);
    two.submit(aJob("a", 3).queue("x"));
    two.submit(aJob("b", 3).queue("x"));
    two.submit(aJob("z", 2).queue("z").preemptible(false));

    assertThat(two.submit(aJob("x1", 1).queue("x"))).containsExactly("start x1");
  }

  /** Eight GPUs for x, z: 3 and 5 in use; one of z within its share waits behind one beyond it. */
  private static Session twoQueues(SchedulingPolicy policy, Reclaiming form) {
    Session one = Session.of(policy, 8);
    tree(one, form);
    one.submit(aJob("a", 3).queue("x"));
    one.submit(aJob("b", 3).queue("z"));
    one.submit(aJob("c", 2).queue("z"));
    one.at(10).submit(aJob("z-head", 4).queue("z"));
    one.submit(aJob("z2", 1).queue("z"));
    one.submit(aJob("x2", 2).queue("x"));
    assertThat(one.running()).containsExactlyInAnyOrder("a", "b", "c");
    return one;
  }

  private static void tree(Session session, Reclaiming form) {
    QueueSpec rest =
        QueueSpec.named("rest")
            .with(QuotaResource.GPUS, QueueQuota.guaranteed(form.lends() ? 8 : 0));
    session.on(
        new ClusterEvent.QueuesChanged(
            Instant.EPOCH,
            QueueTree.of(
                    QueueSpec.named("lab"),
                    QueueSpec.named("x").in("lab"),
                    QueueSpec.named("z").in("lab"),
                    rest.in("lab"))
                .with(form)));
  }
}
