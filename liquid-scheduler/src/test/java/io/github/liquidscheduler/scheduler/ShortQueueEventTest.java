package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.queue.QueuePreemption;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An event does no more than it may, also where queues are in a tree; the next one goes on. */
class ShortQueueEventTest {

  private static final QueueTree HALVES = QueueTree.of(guaranteed("a"), guaranteed("b"));

  private static QueueSpec guaranteed(String name) {
    return QueueSpec.named(name).with(QuotaResource.GPUS, QueueQuota.guaranteed(2));
  }

  private static Session session(LiquidScheduler.Builder options, QueueTree tree) {
    Session session = new Session(options.build());
    session.on(new ClusterEvent.QueuesChanged(session.now(), tree));
    return session;
  }

  private static LiquidScheduler.Builder on(int... gpusOfNodes) {
    return LiquidScheduler.builder(Session.cluster(gpusOfNodes)).policy(Policies.bestEffortFifo());
  }

  private static JobSpec.Builder fixed(String job) {
    return aJob(job, 1).queue("a").preemptible(false);
  }

  private static List<String> returnsForThoseWhoWait(Session session) {
    session.lose("n0");
    session.submit(aJob("a1", 1).queue("a"));
    session.submit(aJob("b1", 1).queue("b"));
    session.submit(aJob("b2", 1).queue("b"));
    return session.giveBack("n0");
  }

  private static boolean isDue(Session session) {
    return session.scheduler.nextWakeUp().equals(Optional.of(session.now()));
  }

  @Test
  void anEventStartsOneJobAndTheNextOneTheNext() {
    Session session = session(on(4).startsPerEvent(1), HALVES);

    assertThat(returnsForThoseWhoWait(session)).containsExactly("start a1");
    assertThat(isDue(session)).isTrue();
    assertThat(session.pass()).containsExactly("start b1");
    assertThat(isDue(session)).isTrue();
    assertThat(session.pass()).containsExactly("start b2");
    assertThat(isDue(session)).isFalse();
  }

  private static JobSpec.Builder ofMinutes(String job, int gpus, long minutes) {
    return Session.aJobOf(job, gpus, 60 * minutes).queue("a");
  }

  @Test
  void aJobThatMovesAheadOfPendingJobsIsStillTried() {
    LiquidScheduler.Builder options = on(4).policy(Policies.shortestJobFirst());
    Session session = session(options.startsPerEvent(1), HALVES.with(Reclaiming.NEVER));
    session.submit(ofMinutes("running", 4, 60));
    session.submit(ofMinutes("first", 2, 1));
    session.submit(ofMinutes("middle", 2, 20));
    session.submit(ofMinutes("long", 1, 30));
    session.submit(ofMinutes("longer", 1, 40));

    assertThat(session.finish("running")).containsExactly("start first");
    assertThat(
            session.on(
                new ClusterEvent.JobUpdated(session.now(), ofMinutes("longer", 1, 10).build())))
        .containsExactly("start longer");
    assertThat(session.pass()).containsExactly("start long");
  }

  private static JobSpec.Builder onOneNode(String job) {
    return JobSpec.builder(job).role("worker", 1, ResourceRequest.ofGpus(2));
  }

  @Test
  void anEventSearchesForOneJobAndTheNextOneForTheNext() {
    Session session = session(on(2, 2).searchesPerEvent(1), HALVES);
    session.submit(fixed("a1").excludeNodes(List.of("n1")));
    session.submit(fixed("a2").excludeNodes(List.of("n0")));

    assertThat(session.submit(onOneNode("b1").queue("b"))).isEmpty();
    assertThat(isDue(session)).isTrue();
    assertThat(session.pass()).isEmpty();
    assertThat(isDue(session)).isFalse();
  }

  /** Where queues take nothing back, jobs of one queue still stop each other. */
  @Test
  void searchesInOneQueueCountWhereThereAreOnlyLimits() {
    LiquidScheduler.Builder options =
        on(2)
            .policy(Policies.priority())
            .preemption(PreemptionRules.NONE.minRunTime(Duration.ofSeconds(10)));
    Session session = session(options.searchesPerEvent(1), HALVES.with(Reclaiming.NEVER));
    session.submit(aJob("low", 1).queue("a"));
    session.submit(aJob("lower", 1).queue("a"));
    session.at(5).submit(aJob("high", 1).queue("a").priority(1));
    session.submit(aJob("higher", 1).queue("a").priority(2).excludeNodes(List.of("n9")));

    assertThat(session.at(10).pass()).containsExactly("preempt lower", "start higher");
    assertThat(isDue(session)).isTrue();
    assertThat(session.pass()).containsExactly("preempt low", "start high");
  }

  @Test
  void alsoWhereQueuesLendEachOtherQuota() {
    for (Reclaiming form : List.of(Reclaiming.LENT_QUOTA, Reclaiming.DOMINANT_SHARES)) {
      Session session = session(on(4).startsPerEvent(1), HALVES.with(form));

      assertThat(returnsForThoseWhoWait(session)).containsExactly("start a1");
      assertThat(isDue(session)).isTrue();
      assertThat(session.pass()).containsExactly("start b1");
      assertThat(session.pass()).containsExactly("start b2");
      assertThat(isDue(session)).isFalse();
    }
  }

  /** A tree in which queue a lends b what it cannot take back. */
  private static QueueTree lendingForGood() {
    return QueueTree.of(
            QueueSpec.named("all"),
            QueueSpec.named("a").in("all").withGpus(3).with(QueuePreemption.NONE),
            QueueSpec.named("b").in("all").withGpus(1))
        .with(Reclaiming.LENT_QUOTA);
  }

  private static Session firstOfItsQueueDoesNotFit(LiquidScheduler.Builder options) {
    Session session = session(options, lendingForGood());
    session.submit(aJob("a0", 1).queue("a").excludeNodes(List.of("n0")));
    session.submit(fixed("b0").queue("b").excludeNodes(List.of("n1")));
    session.submit(onOneNode("a1").queue("a"));
    session.pass();
    return session;
  }

  @Test
  void whatIsReservedForAQueueIsSoForTheRestOfTheEvent() {
    Session session = firstOfItsQueueDoesNotFit(on(2, 2).searchesPerEvent(1));

    assertThat(session.submit(aJob("b1", 1).queue("b"))).isEmpty();
    assertThat(isDue(session)).isTrue();
    Session copy = session.copy();
    for (Session each : List.of(session, copy)) {
      assertThat(each.pass()).isEmpty();
      assertThat(each.pass()).isEmpty();
      assertThat(isDue(each)).isFalse();
    }
  }

  @Test
  void andSoItIsInACopyBetweenEvents() {
    Session session = firstOfItsQueueDoesNotFit(on(2, 2));

    assertThat(session.copy().scheduler.state().jobs().quotas().admission().reserved())
        .isEqualTo(session.scheduler.state().jobs().quotas().admission().reserved())
        .isNotEmpty();
  }

  @Test
  void anEventSearchesForAtLeastOneJob() {
    assertThatThrownBy(() -> on(1).searchesPerEvent(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("an event must search for at least 1 job, but was to search for 0 at most");
  }
}
