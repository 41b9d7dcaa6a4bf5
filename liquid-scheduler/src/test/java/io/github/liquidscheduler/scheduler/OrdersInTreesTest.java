package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.QueueName;
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
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Policies that block, and policies that order queues, in a tree of queues. */
class OrdersInTreesTest {

  private static Session session(
      SchedulingPolicy policy, Reclaiming form, int gpus, QueueSpec... queues) {
    Session session = Session.of(policy, gpus);
    announce(session, form, queues);
    return session;
  }

  private static void announce(Session session, Reclaiming form, QueueSpec... queues) {
    session.on(new ClusterEvent.QueuesChanged(Instant.EPOCH, QueueTree.of(queues).with(form)));
  }

  private static QueueSpec all() {
    return QueueSpec.named("all");
  }

  private static QueueSpec part(String name, int guaranteed) {
    return QueueSpec.named(name).in("all").withGpus(guaranteed);
  }

  private static List<String> submit(Session session, String queue, String job, int gpus) {
    return session.submit(aJob(job, gpus).queue(queue));
  }

  /** Has two jobs run, and one wait as the head of queue a, while two GPUs are free. */
  private static Session blocked(Reclaiming form) {
    Session session = session(Policies.fifo(), form, 8, all(), part("a", 4), part("b", 4));
    submit(session, "a", "a1", 4);
    submit(session, "b", "b1", 2);
    assertThat(submit(session, "a", "a2", 4)).isEmpty();
    return session;
  }

  @ParameterizedTest
  @EnumSource(Reclaiming.class)
  void aPolicyThatBlocksBlocksWithinItsQueueAndOtherQueuesGoOn(Reclaiming form) {
    Session session = blocked(form);

    assertThat(submit(session, "a", "a3", 1)).isEmpty();
    assertThat(submit(session, "b", "b2", 1)).containsExactly("start b2");
    assertThat(session.finish("a1")).containsExactly("start a2", "start a3");
  }

  @ParameterizedTest
  @EnumSource(Reclaiming.class)
  void theNextHeadIsTriedWhenTheHeadIsGone(Reclaiming form) {
    Session session = blocked(form);
    submit(session, "a", "a3", 1);

    assertThat(session.cancel("a2")).containsExactly("start a3");
  }

  @ParameterizedTest
  @EnumSource(Reclaiming.class)
  void whoComesBeforeTheHeadIsTried(Reclaiming form) {
    Session session = session(Policies.fifo(), form, 8, all(), part("a", 4), part("b", 4));
    submit(session, "a", "a1", 4);
    submit(session, "b", "b1", 4);
    submit(session, "a", "a2", 4);
    submit(session, "b", "b2", 4);
    submit(session, "b", "b3", 1);

    assertThat(session.finish("a1")).containsExactly("start a2");
    assertThat(session.finish("b1")).containsExactly("start b2");
    assertThat(session.finish("b2")).containsExactly("start b3");
  }

  @ParameterizedTest
  @EnumSource(Reclaiming.class)
  void aQueueWaitsForItsHeadThatIsBeyondItsLimit(Reclaiming form) {
    QueueSpec limited =
        QueueSpec.named("a")
            .in("all")
            .with(QuotaResource.GPUS, QueueQuota.guaranteed(4).withLimit(4));
    Session session = session(Policies.fifo(), form, 8, all(), limited, part("b", 4));
    submit(session, "a", "a1", 3);

    assertThat(submit(session, "a", "a2", 2)).isEmpty();
    assertThat(submit(session, "a", "a3", 1)).isEmpty();
    assertThat(session.finish("a1")).containsExactly("start a2", "start a3");
  }

  @Test
  void theExplanationNamesTheHeadOfTheQueue() {
    Session session = blocked(Reclaiming.COMPUTED_SHARES);
    submit(session, "a", "a3", 1);

    assertThat(session.explain("a3").describe())
        .contains("QUEUE_ORDER (behind 'a2', the head of queue 'a'): 1 job ahead must start first");
    assertThat(session.explain("a2").describe()).doesNotContain("QUEUE_ORDER");
  }

  @Test
  void whoWaitedBehindAJobOfAnotherQueueStartsWhenATreeIsSet() {
    Session session = Session.of(Policies.fifo(), 8);
    submit(session, "a", "a1", 6);
    submit(session, "a", "a2", 4);
    assertThat(submit(session, "b", "b1", 2)).isEmpty();

    announce(session, Reclaiming.NEVER, all(), part("a", 4), part("b", 4));

    assertThat(session.scheduler.waiting()).extracting(JobId::value).containsExactly("a2");
  }

  /** Has a job of queue c run on all GPUs, and jobs wait that are within the shares of others. */
  private static Session ordered(Reclaiming form, SchedulingPolicy policy) {
    Session session =
        session(
            policy,
            form,
            4,
            all(),
            QueueSpec.named("lab").in("all").withPriority(9),
            QueueSpec.named("a").in("lab").withGpus(2).withPriority(1),
            QueueSpec.named("b").in("lab").withGpus(1),
            part("c", 4),
            part("d", 2));
    submit(session, "c", "c1", 4);
    submit(session, "a", "a1", 1);
    submit(session, "a", "a2", 1);
    submit(session, "b", "b1", 1);
    submit(session, "d", "d1", 1);
    submit(session, "d", "d2", 1);
    return session;
  }

  @Test
  void theTreeServesByPriorityAtEveryLevel() {
    Session session = ordered(Reclaiming.NEVER, Policies.bestEffortFifo());

    assertThat(session.finish("c1"))
        .containsExactly("start a1", "start a2", "start b1", "start d1");
  }

  @ParameterizedTest
  @EnumSource(Reclaiming.class)
  void aPolicyThatOrdersQueuesDoesSoAtEveryLevelInPlaceOfTheTree(Reclaiming form) {
    Session session = ordered(form, Policies.fairShare());

    assertThat(session.finish("c1"))
        .containsExactly("start a1", "start d1", "start b1", "start d2");
  }

  @ParameterizedTest
  @EnumSource(Reclaiming.class)
  void itsWeightsAreThoseOfQueuesAtAnyLevel(Reclaiming form) {
    Map<QueueName, Double> weights = Map.of(QueueName.of("lab"), 3.0, QueueName.of("b"), 0.5);
    Session session = ordered(form, Policies.fairShare(Policies.bestEffortFifo(), weights));

    assertThat(session.finish("c1"))
        .containsExactly("start a1", "start d1", "start b1", "start a2");
  }

  @ParameterizedTest
  @EnumSource(
      value = Reclaiming.class,
      names = {"COMPUTED_SHARES", "LENT_QUOTA", "DOMINANT_SHARES"})
  void aPolicyThatOrdersQueuesChangesNoRightOfReclaim(Reclaiming form) {
    Session session = session(Policies.fairShare(), form, 8, all(), part("a", 4), part("b", 4));
    submit(session, "b", "b1", 4);
    submit(session, "b", "b2", 4);

    assertThat(submit(session, "a", "a1", 4)).containsExactly("preempt b2", "start a1");
  }

  @ParameterizedTest
  @EnumSource(Reclaiming.class)
  void whoStaysWithinItsShareComesBeforeTheFavouriteOfThePolicy(Reclaiming form) {
    SchedulingPolicy favoursB =
        Policies.fairShare(Policies.bestEffortFifo(), Map.of(QueueName.of("b"), 100.0));
    Session session = session(favoursB, form, 8, all(), part("a", 6), part("b", 2));
    submit(session, "a", "a1", 2);
    submit(session, "b", "b1", 2);
    submit(session, "a", "a2", 4);
    submit(session, "b", "b2", 4);
    submit(session, "a", "a3", 4);
    submit(session, "a", "a4", 2);

    assertThat(session.finish("a2")).containsExactly("start a3");
  }
}
