package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
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

  @Test
  void whereQueuesLendEachOtherQuotaAnEventDecidesEverything() {
    Session session = session(on(4).startsPerEvent(1), HALVES.with(Reclaiming.LENT_QUOTA));

    assertThat(returnsForThoseWhoWait(session)).containsExactly("start a1", "start b1", "start b2");
  }

  @Test
  void anEventSearchesForAtLeastOneJob() {
    assertThatThrownBy(() -> on(1).searchesPerEvent(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("an event must search for at least 1 job, but was to search for 0 at most");
  }
}
