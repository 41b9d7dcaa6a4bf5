package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** A plan with more starts than an event may make goes on in the next event. */
class ShortPlanTest {

  private static final BatchWindow WINDOW =
      BatchWindow.of(Duration.ofSeconds(15)).planTimeout(Duration.ofSeconds(5));

  private final Session session = session(WINDOW);

  private static Session session(BatchWindow window) {
    return new Session(
        LiquidScheduler.builder(Session.cluster(4, 4))
            .policy(Policies.bestEffortFifo())
            .batch(window)
            .startsPerEvent(1)
            .build());
  }

  private void threeAreAskedFor() {
    session.submit("a", 1);
    session.submit("b", 1);
    session.submit("c", 1);
    session.at(15).pass();
  }

  @Test
  void plannedJobsStayReadyWithTheirPlaces() {
    threeAreAskedFor();

    assertThat(session.at(16).plan(1, "a on n0 3", "b on n1 2", "c on n1 3"))
        .containsExactly("start a");
    assertThat(session.scheduler.nextWakeUp()).contains(Instant.ofEpochSecond(16));
    assertThat(session.pass()).containsExactly("start b");
    assertThat(session.pass()).containsExactly("start c");
    assertThat(session.last().getFirst().why().describe()).contains("plan 1");
    assertThat(session.nodesOf("c")).containsExactly("n1");
    assertThat(session.scheduler.nextWakeUp()).isEmpty();
  }

  @Test
  void anotherEventGoesOnWithThePlan() {
    threeAreAskedFor();
    session.at(16).plan(1, "a on n0 3", "b on n1 2", "c on n1 3");

    assertThat(session.at(17).submit("d", 1)).containsExactly("start b");
    assertThat(session.nodesOf("b")).containsExactly("n1");
    assertThat(session.at(17).cancel("c")).isEmpty();
    assertThat(session.at(32).pass()).containsExactly("plan [d]");
  }

  @Test
  void aJobThatAsksForSomethingElseMeanwhileLosesItsPlannedPlace() {
    threeAreAskedFor();
    session.at(16).plan(1, "a on n0 3", "b on n1 2", "c on n1 3");

    JobSpec larger = aJob("b", 2).build();
    assertThat(session.at(17).on(new ClusterEvent.JobUpdated(session.now(), larger)))
        .containsExactly("start c");
    assertThat(session.at(32).pass()).containsExactly("plan [b]");
  }

  @Test
  void whatWasPlannedOnANodeThatIsGoneGoesAnywhere() {
    for (String job : new String[] {"a", "b", "c", "d"}) {
      session.submit(job, 1);
    }
    session.at(15).pass();
    session.at(16).plan(1, "a on n0 3", "b on n1 1", "c on n1 2", "d on n1 3");
    NodeId gone = NodeId.of("n1");

    assertThat(session.on(new ClusterEvent.NodeDraining(session.now(), gone)))
        .containsExactly("start b");
    assertThat(session.on(new ClusterEvent.NodeRetired(session.now(), gone)))
        .containsExactly("start c");
    assertThat(session.pass()).containsExactly("start d");
    assertThat(session.nodesOf("d")).containsExactly("n0");
  }

  @Test
  void theNextPlanIsAskedForOnceThisOneIsCarriedOut() {
    Session full = session(BatchWindow.of(Duration.ZERO));
    full.submit("a", 2);
    full.submit("b", 2);
    full.submit("c", 6);

    assertThat(full.plan(1, "a on n0 0 1")).containsExactly("start a", "plan [b, c]");
    assertThat(full.plan(2, "b on n1 0 1")).containsExactly("start b");
    assertThat(full.pass()).isEmpty();
  }

  @Test
  void whatAQueueMayNotHoldIsCutInEachEvent() {
    QueueSpec limited =
        QueueSpec.named("q").with(QuotaResource.GPUS, QueueQuota.guaranteed(0).withLimit(2));
    session.on(new ClusterEvent.QueuesChanged(Instant.EPOCH, QueueTree.of(limited)));
    for (String job : new String[] {"a", "b", "c"}) {
      session.submit(aJob(job, 1).queue("q"));
    }

    assertThat(session.plan(0, "a on n0 3", "b on n1 2", "c on n1 3")).containsExactly("start a");
    assertThat(session.pass()).containsExactly("start b");
    assertThat(session.pass()).isEmpty();
    assertThat(session.waiting()).containsExactly("c");
  }
}
