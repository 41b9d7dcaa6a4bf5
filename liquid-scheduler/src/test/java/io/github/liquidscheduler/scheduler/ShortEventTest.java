package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.Retry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An event starts no more jobs than it may; the next one, which is due at once, goes on. */
class ShortEventTest {

  private final Session session =
      new Session(
          LiquidScheduler.builder(Session.cluster(4, 1))
              .policy(Policies.bestEffortFifo())
              .startsPerEvent(2)
              .build());

  private void fourWaitForTheFirstNode() {
    session.submit("a", 4);
    session.submit("b", 2);
    session.submit("c", 1);
    session.submit("d", 1);
    session.submit("e", 1);
  }

  @Test
  void whatIsLeftIsDueAtOnce() {
    fourWaitForTheFirstNode();

    assertThat(session.at(9).finish("a")).containsExactly("start b", "start d");
    assertThat(session.scheduler.nextWakeUp()).contains(Instant.ofEpochSecond(9));
    assertThat(session.pass()).containsExactly("start e");
    assertThat(session.scheduler.nextWakeUp()).isEmpty();
  }

  @Test
  void anotherEventGoesOnAsWell() {
    fourWaitForTheFirstNode();
    session.at(9).finish("a");

    assertThat(session.at(10).submit("f", 1)).containsExactly("start e");
  }

  @Test
  void grownCapacityIsTrackedWhenNodesAreReindexed() {
    Session small =
        new Session(
            LiquidScheduler.builder(Session.cluster(1, 2))
                .policy(Policies.bestEffortFifo())
                .startsPerEvent(1)
                .build());
    small.on(new ClusterEvent.NodeLost(Instant.EPOCH, NodeId.of("n0")));
    small.submit("a", 2);
    small.submit("b", 1);
    small.submit("c", 1);

    assertThat(small.finish("a")).containsExactly("start b");
    assertThat(small.on(new ClusterEvent.NodeRetired(Instant.EPOCH, NodeId.of("n0"))))
        .containsExactly("start c");
  }

  @Test
  void theRestIsDueAtOnceEvenIfNoCapacityHasGrown() {
    Session one = oneStartAtATime(Policies.bestEffortFifo(), 2);
    one.submit("a", 1);
    one.submit("b", 1);
    one.at(5).fail("a", Failure.NOT_STARTED, Retry.now());
    one.fail("b", Failure.NOT_STARTED, Retry.now());

    assertThat(one.at(15).pass()).containsExactly("start a");
    assertThat(one.scheduler.nextWakeUp()).contains(Instant.ofEpochSecond(15));
    assertThat(one.pass()).containsExactly("start b");
  }

  /** The next of its class is no longer tried: capacity grew only for higher ranks. */
  @Test
  void theNextOfAClassIsTriedInTurnEvenIfTheFirstDidNotUseFreedCapacity() {
    for (int other : List.of(0, 1)) {
      Session one = oneStartAtATime(Policies.priority(), 2);
      one.submit(aJob("first", 2).priority(2));
      one.submit(aJob("next", 1).priority(1));
      one.submit(ofAnotherClass("other").priority(other));

      assertThat(failsAndAsksForLess(one, "first")).containsExactly("start first");
      assertThat(one.pass()).containsExactly("start next");
    }
  }

  @Test
  void butNotBeforeItsTurn() {
    for (int other : List.of(1, 2)) {
      Session one = oneStartAtATime(Policies.priority(), 2);
      one.submit(aJob("first", 2).priority(3));
      one.submit(ofAnotherClass("other").priority(other));
      one.submit(aJob("next", 1).priority(1));

      assertThat(failsAndAsksForLess(one, "first")).containsExactly("start first");
      assertThat(one.pass()).containsExactly("start other");
    }
  }

  private static List<String> failsAndAsksForLess(Session session, String job) {
    return session.on(
        new ClusterEvent.JobFailed(
            session.now(),
            JobId.of(job),
            Failure.OUT_OF_MEMORY,
            Retry.now(),
            Optional.of(aJob(job, 1).priority(9).build())));
  }

  private static JobSpec.Builder ofAnotherClass(String id) {
    return aJob(id, 1).excludeNodes(List.of("elsewhere"));
  }

  @Test
  void aJobTriedByOneEventIsNotTriedAgainByTheNext() {
    CountingPlacer placer = new CountingPlacer();
    Session one =
        new Session(
            LiquidScheduler.builder(Session.cluster(4))
                .policy(Policies.bestEffortFifo())
                .placer(placer)
                .startsPerEvent(1)
                .build());
    one.submit("a", 3);
    one.submit("b", 1);
    one.submit("large", 4);
    one.submit("c", 1);
    one.submit(ofAnotherClass("d"));

    assertThat(one.finish("a")).containsExactly("start c");
    placer.searches = 0;
    assertThat(one.pass()).containsExactly("start d");
    assertThat(placer.searches).isEqualTo(1);
  }

  @Test
  void inQueuesOfSharesEverybodyIsAskedInTheEnd() {
    Session one = oneStartAtATime(Policies.fairShare(), 4);
    one.submit(aJob("large", 4).queue("x"));
    for (String job : List.of("x1", "y1", "x2", "y2")) {
      one.submit(aJob(job, 1).queue(job.substring(0, 1)));
    }

    assertThat(one.finish("large")).containsExactly("start x1");
    assertThat(one.pass()).containsExactly("start y1");
    assertThat(one.pass()).containsExactly("start x2");
    assertThat(one.pass()).containsExactly("start y2");
  }

  @Test
  void anEventSearchesForVictimsOfOneJobAndTheNextOneForTheNext() {
    Session one =
        new Session(
            LiquidScheduler.builder(Session.cluster(2))
                .policy(Policies.priority())
                .preemption(PreemptionRules.NONE.minRunTime(Duration.ofSeconds(10)))
                .searchesPerEvent(1)
                .build());
    one.submit("low", 1);
    one.submit("lower", 1);
    one.at(5).submit(aJob("high", 1).priority(1));
    one.submit(ofAnotherClass("higher").priority(2));

    assertThat(one.at(10).pass()).containsExactly("preempt lower", "start higher");
    assertThat(one.scheduler.nextWakeUp()).contains(Instant.ofEpochSecond(10));
    assertThat(one.pass()).containsExactly("preempt low", "start high");
    assertThat(one.pass()).isEmpty();
    assertThat(one.scheduler.nextWakeUp()).contains(Instant.ofEpochSecond(20));
  }

  private static Session oneStartAtATime(SchedulingPolicy policy, int gpus) {
    return new Session(
        LiquidScheduler.builder(Session.cluster(gpus)).policy(policy).startsPerEvent(1).build());
  }

  @Test
  void anEventStartsAtLeastOneJob() {
    assertThatThrownBy(() -> LiquidScheduler.builder(Session.cluster(1)).startsPerEvent(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("an event must start at least 1 job, but was to start 0 at most");
  }
}
