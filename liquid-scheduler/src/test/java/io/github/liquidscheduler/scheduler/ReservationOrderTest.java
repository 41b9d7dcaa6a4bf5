package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static io.github.liquidscheduler.scheduler.Session.aJobOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.placement.colocation.AnyCoRunner;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduling.AdvanceReservation;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.Progress;
import io.github.liquidscheduler.scheduling.ReservationId;
import io.github.liquidscheduler.scheduling.Retry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reservations hold against the jobs behind in the order of policy and queues. */
class ReservationOrderTest {

  private static Session session(SchedulingPolicy policy, Duration grace, int... gpusOfNodes) {
    return new Session(
        LiquidScheduler.builder(Session.cluster(gpusOfNodes))
            .policy(policy)
            .preemption(PreemptionRules.NONE.gracePeriod(grace))
            .backfill(Backfill.reserving(2))
            .build());
  }

  private static Session withPriorities(int... gpusOfNodes) {
    return session(Policies.priority(), Duration.ZERO, gpusOfNodes);
  }

  private static Optional<Instant> reserved(Session session, String job) {
    return session.scheduler.reservedStart(JobId.of(job));
  }

  private static Instant second(long second) {
    return Instant.ofEpochSecond(second);
  }

  private static JobSpec.Builder keeps(JobSpec.Builder job) {
    return job.preemptible(false);
  }

  @Test
  void reservationsAreMadeInOrderOfPriority() {
    Session session = withPriorities(4);
    session.submit(keeps(aJobOf("busy", 4, 100)));

    session.submit(aJobOf("low", 4, 50));
    assertThat(reserved(session, "low")).contains(second(100));

    session.submit(aJobOf("high", 4, 30).priority(1));
    assertThat(reserved(session, "high")).contains(second(100));
    assertThat(reserved(session, "low")).contains(second(130));
  }

  @Test
  void aJobOfHigherPriorityStartsOnWhatIsReservedForOneBehind() {
    Session session = withPriorities(4);
    session.submit(keeps(aJobOf("half", 2, 100)));
    session.submit(aJobOf("whole", 4, 50));

    assertThat(session.submit(aJobOf("long", 2, 500))).isEmpty();
    assertThat(session.submit(aJobOf("urgent", 2, 150).priority(1)))
        .containsExactly("start urgent");
    assertThat(reserved(session, "whole")).contains(second(150));
  }

  @Test
  void aJobOfHigherPriorityStopsAnotherThatWasBackfilled() {
    Session session = withPriorities(4);
    session.submit(keeps(aJobOf("half", 2, 100)));
    session.submit(keeps(aJobOf("whole", 4, 50)));
    session.submit(aJobOf("short", 2, 90));

    assertThat(session.at(10).submit(aJobOf("urgent", 2, 500).priority(1)))
        .containsExactly("preempt short", "start urgent");
    assertThat(reserved(session, "whole")).contains(second(510));
  }

  @Test
  void nobodyIsStoppedWhereSomebodyBeforeHoldsTheReservation() {
    Session session = withPriorities(4);
    session.submit(keeps(aJobOf("half", 2, 100)));
    session.submit(aJobOf("small", 2, 90));
    session.submit(keeps(aJobOf("whole", 4, 50)).priority(2));

    assertThat(session.at(10).submit(aJobOf("long", 2, 500).priority(1)))
        .as("it would be in the way of 'whole'")
        .isEmpty();
  }

  @Test
  void aJobThatNewQuotasForbidGivesUpItsReservation() {
    Session session = session(Policies.bestEffortFifo(), Duration.ZERO, 4);
    queues(session, QueueQuota.guaranteed(0).withLimit(4));
    session.submit(aJobOf("half", 2, 100).queue("a"));
    session.submit(aJobOf("whole", 4, 50).queue("a"));
    assertThat(session.at(10).submit(aJobOf("long", 1, 500).queue("a"))).isEmpty();
    assertThat(reserved(session, "whole")).contains(second(100));

    assertThat(queues(session, QueueQuota.guaranteed(0).withLimit(3)))
        .containsExactly("start long");
    assertThat(reserved(session, "whole")).isEmpty();
  }

  @Test
  void aReservationWaitsForAJobOfItsQueueThatEndsLater() {
    Session session = session(Policies.bestEffortFifo(), Duration.ZERO, 4, 2);
    queues(session, QueueQuota.guaranteed(0).withLimit(5));
    session.submit(aJobOf("small", 2, 100).queue("a"));
    session.submit(aJobOf("large", 4, 50).queue("a"));
    assertThat(reserved(session, "large")).contains(second(100));

    session
        .at(40)
        .on(
            new ClusterEvent.JobProgressed(
                session.now(),
                JobId.of("small"),
                Progress.of(1, 1).withRemaining(Duration.ofSeconds(200))));
    assertThat(reserved(session, "large")).contains(second(240));
  }

  @Test
  void aReservationMovesOnceAJobBeforeItHoldsItsQuota() {
    Session session = session(Policies.priority(), Duration.ZERO, 4, 2, 2);
    queues(session, QueueQuota.guaranteed(0).withLimit(4));
    session.submit(aJobOf("first", 2, 100).queue("a"));
    session.submit(aJobOf("whole", 4, 50).queue("a"));
    assertThat(reserved(session, "whole")).contains(second(100));

    assertThat(session.submit(aJobOf("high", 2, 500).queue("a").priority(1)))
        .containsExactly("start high");
    assertThat(reserved(session, "whole")).contains(second(500));
  }

  @Test
  void aReservationMovesOnceOneOfAJobBeforeItHoldsItsQuota() {
    Session session = session(Policies.priority(), Duration.ZERO, 4, 2);
    session.on(
        new ClusterEvent.QueuesChanged(
            Instant.EPOCH,
            QueueTree.of(
                QueueSpec.named("a")
                    .with(QuotaResource.GPUS, QueueQuota.guaranteed(4).withLimit(4)),
                QueueSpec.named("b").withGpus(4))));
    session.submit(keeps(aJobOf("first", 2, 100)).queue("a"));
    session.submit(keeps(aJobOf("other", 4, 100)).queue("b"));
    session.submit(aJobOf("whole", 4, 50).queue("a"));
    assertThat(reserved(session, "whole")).contains(second(100));

    session.submit(aJobOf("high", 2, 500).queue("a").priority(1));
    assertThat(reserved(session, "high")).contains(second(100));
    assertThat(reserved(session, "whole")).contains(second(600));
  }

  @Test
  void aReservationHoldsTheGuaranteeOfAJobThatMayNotBePreempted() {
    Session session = session(Policies.bestEffortFifo(), Duration.ZERO, 4);
    queues(session, QueueQuota.guaranteed(2));
    session.submit(aJobOf("filler", 3, 100).queue("a"));
    session.submit(aJobOf("kept", 2, 50).queue("a").preemptible(false));
    assertThat(reserved(session, "kept")).contains(second(100));

    assertThat(session.at(10).submit(aJobOf("long", 1, 500).queue("a").preemptible(false)))
        .as("it would hold half of the guarantee that 'kept' needs")
        .isEmpty();
    assertThat(session.at(20).submit(aJobOf("short", 1, 80).queue("a").preemptible(false)))
        .containsExactly("start short");
    assertThat(reserved(session, "kept")).contains(second(100));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aJobLargerThanALimitDoesNotStartBesideCoRunnersEither(boolean backfills) {
    LiquidScheduler.Builder builder =
        LiquidScheduler.builder(Session.cluster(2))
            .policy(Policies.bestEffortFifo())
            .colocation(Colocation.builder(new AnyCoRunner()).build());
    Session session =
        new Session((backfills ? builder.backfill(Backfill.easy()) : builder).build());
    queues(session, QueueQuota.guaranteed(0).withLimit(1));
    session.submit(aJobOf("resident", 2, 100).queue("b").sharing(new Sharing.Opportunistic()));

    assertThat(
            session.submit(aJobOf("large", 2, 50).queue("a").sharing(new Sharing.Opportunistic())))
        .as("it asks for two GPUs, though it would hold one beside 'resident'")
        .isEmpty();
  }

  private static List<String> queues(Session session, QueueQuota quota) {
    QueueSpec a = QueueSpec.named("a").with(QuotaResource.GPUS, quota);
    return session.on(
        new ClusterEvent.QueuesChanged(
            session.now(), QueueTree.of(a, QueueSpec.named("b")).with(Reclaiming.NEVER)));
  }

  @Test
  void nobodyIsStoppedForAStartThatComesWithinTheGracePeriod() {
    Session session = session(Policies.priority(), Duration.ofSeconds(30), 4);
    session.submit(aJobOf("low", 4, 100));

    assertThat(session.at(80).submit(aJobOf("high", 4, 50).priority(1))).isEmpty();
    assertThat(reserved(session, "high")).contains(second(100));
    assertThat(session.at(100).finish("low")).containsExactly("start high");
  }

  @Test
  void noEarlierThanTheEndOfTheGracePeriodIsNoSooner() {
    for (long second : new long[] {69, 70}) {
      Session session = session(Policies.priority(), Duration.ofSeconds(30), 4);
      session.submit(aJobOf("low", 4, 100));

      assertThat(session.at(second).submit(aJobOf("high", 4, 50).priority(1)))
          .isEqualTo(second == 69 ? List.of("preempt low", "start high") : List.of());
    }
  }

  @Test
  void ifThatStartSlipsTheyAre() {
    Session session = session(Policies.priority(), Duration.ofSeconds(30), 4);
    session.submit(aJobOf("low", 4, 100));
    session.at(80).submit(aJobOf("high", 4, 50).priority(1));

    session.at(100).pass();
    session.on(new ClusterEvent.TimePassed(session.scheduler.nextWakeUp().orElseThrow()));
    assertThat(session.last()).as("a report may be late").isEmpty();
    session.at(107).pass();

    assertThat(session.last()).hasSize(2);
    assertThat(session.scheduler.view().runningJobs()).contains(JobId.of("high"));
  }

  @Test
  void thatTheEndIsOnlyAssumedKeepsNobodyRunning() {
    Session session = session(Policies.priority(), Duration.ofHours(2), 4);
    session.submit(aJob("low", 4));

    assertThat(session.at(80).submit(aJobOf("high", 4, 50).priority(1)))
        .containsExactly("preempt low", "start high");
  }

  /** Of the two that leave for it the one named last leaves first. */
  @Test
  void aStartIsExpectedToBeginWhenTheLastOfTheOthersHasLeft() {
    Session session = session(Policies.priority(), Duration.ofSeconds(30), 4);
    session.submit(aJob("a", 2));
    session.submit(aJob("z", 2));
    assertThat(session.submit(aJob("gone", 2).priority(2))).contains("preempt z");
    session.cancel("gone");

    assertThat(session.at(10).submit(aJobOf("high", 4, 100).priority(2)))
        .containsExactly("preempt a", "start high");
    session.submit(aJobOf("next", 4, 50).priority(1));
    assertThat(reserved(session, "next")).contains(second(140));
  }

  private static Session withQueues(QueueSpec... queues) {
    Session session = session(Policies.bestEffortFifo(), Duration.ZERO, 4, 4);
    session.on(new ClusterEvent.QueuesChanged(Instant.EPOCH, QueueTree.of(queues)));
    return session;
  }

  @Test
  void aReservationHoldsQuotaUntilItsJobStarts() {
    Session session =
        withQueues(
            QueueSpec.named("a").with(QuotaResource.GPUS, QueueQuota.guaranteed(4).withLimit(4)),
            QueueSpec.named("b"));
    session.submit(aJobOf("half", 2, 100).queue("a"));
    session.submit(aJobOf("whole", 4, 50).queue("a"));
    assertThat(reserved(session, "whole")).contains(second(100));

    assertThat(session.submit(aJobOf("long", 2, 500).queue("a"))).isEmpty();
    assertThat(session.submit(aJobOf("short", 2, 100).queue("a"))).containsExactly("start short");
    assertThat(session.submit(aJobOf("other", 2, 500).queue("b"))).containsExactly("start other");
  }

  @Test
  void aReservationHoldsNoQuotaFromItsExpectedEndOn() {
    Session session =
        withQueues(
            QueueSpec.named("a").with(QuotaResource.GPUS, QueueQuota.guaranteed(4).withLimit(4)));
    session.submit(aJobOf("half", 2, 100).queue("a"));
    session.submit(aJobOf("first", 4, 50).queue("a"));
    session.submit(aJobOf("second", 4, 50).queue("a"));

    assertThat(reserved(session, "first")).contains(second(100));
    assertThat(reserved(session, "second")).contains(second(150));
  }

  @Test
  void behindTheReservationOfABlockingHeadOthersOfItsQueueStart() {
    Session session = session(Policies.fifo(), Duration.ZERO, 4);
    session.on(
        new ClusterEvent.QueuesChanged(
            Instant.EPOCH, QueueTree.of(QueueSpec.named("a"), QueueSpec.named("b"))));
    session.submit(aJobOf("half", 2, 100).queue("a"));
    session.submit(aJobOf("whole", 4, 50).queue("a"));

    assertThat(session.submit(aJobOf("long", 2, 500).queue("a"))).isEmpty();
    assertThat(session.submit(aJobOf("short", 2, 100).queue("a"))).containsExactly("start short");
  }

  @Test
  void aReservationBehindHoldsNoQuotaAgainstAJobBeforeIt() {
    Session session = session(Policies.priority(), Duration.ZERO, 4, 4);
    session.on(
        new ClusterEvent.QueuesChanged(
            Instant.EPOCH,
            QueueTree.of(
                QueueSpec.named("a")
                    .with(QuotaResource.GPUS, QueueQuota.guaranteed(4).withLimit(4)))));
    session.submit(keeps(aJobOf("half", 2, 100)).queue("a"));
    session.submit(aJobOf("whole", 4, 50).queue("a"));

    assertThat(session.submit(aJobOf("urgent", 2, 500).priority(1).queue("a")))
        .containsExactly("start urgent");
  }

  @Test
  void jobsOverdueSinceTheSameInstantHoldNoMoreReservationsThanAllowed() {
    Session session =
        new Session(
            LiquidScheduler.builder(Session.cluster(4))
                .policy(Policies.bestEffortFifo())
                .backfill(Backfill.reserving(1).holdingAfter(Duration.ofSeconds(30), 1))
                .build());
    session.submit(keeps(aJobOf("busy", 4, 100)));
    session.submit(aJobOf("first", 3, 50));
    session.submit(aJobOf("second", 3, 50));
    session.submit(aJobOf("third", 3, 50));

    session.at(30).pass();

    assertThat(session.scheduler.reservedStarts()).containsOnlyKeys(JobId.of("first"));
  }

  @Test
  void nobodyTakesBackWhatWouldDelayAPromiseInItsQueue() {
    Session session =
        new Session(
            LiquidScheduler.builder(Session.cluster(8))
                .policy(Policies.bestEffortFifo())
                .backfill(Backfill.easy())
                .build());
    session.on(
        new ClusterEvent.QueuesChanged(
            session.now(),
            QueueTree.of(
                QueueSpec.named("mine")
                    .with(QuotaResource.GPUS, QueueQuota.guaranteed(6).withLimit(6)),
                QueueSpec.named("theirs").withGpus(2))));
    session.submit(keeps(aJobOf("busy", 4, 100)).queue("mine"));
    session.submit(aJobOf("first-guest", 2, 100).queue("theirs"));
    session.submit(aJobOf("second-guest", 2, 100).queue("theirs"));
    session.submit(aJobOf("promised", 5, 100).queue("mine"));
    assertThat(reserved(session, "promised")).contains(second(100));

    assertThat(session.at(1).submit(aJobOf("long", 2, 1000).queue("mine"))).isEmpty();
    session.on(new ClusterEvent.JobCancelled(session.now(), JobId.of("long")));
    assertThat(session.submit(aJobOf("short", 2, 90).queue("mine")))
        .containsExactly("preempt second-guest", "start short");
    assertThat(reserved(session, "promised")).contains(second(100));
  }

  @Test
  void behindAFirstJobThatGetsAReservationThoseOverdueStartAtOnce() {
    Session session =
        new Session(
            LiquidScheduler.builder(Session.cluster(2, 2))
                .policy(Policies.fifo())
                .backfill(Backfill.reserving(1).holdingAfter(Duration.ofSeconds(30), 1))
                .build());
    session.submit(keeps(aJobOf("first", 2, 500)));
    session.submit(keeps(aJobOf("busy", 2, 1000)));
    session.at(10).submit(aJobOf("behind", 1, 10));

    Retry elsewhere = new Retry(true, Duration.ZERO, List.of(NodeId.of("n0")));

    assertThat(session.at(50).fail("first", Failure.CRASHED, elsewhere))
        .containsExactly("start behind");
    assertThat(reserved(session, "first")).contains(second(1000));
  }

  private static Session startingOneAtATime(int... gpusOfNodes) {
    return new Session(
        LiquidScheduler.builder(Session.cluster(gpusOfNodes))
            .policy(Policies.bestEffortFifo())
            .backfill(Backfill.easy())
            .startsPerEvent(1)
            .build());
  }

  @Test
  void reservationsHoldBetweenThePartsOfAnEvent() {
    Session session = startingOneAtATime(4, 4);
    session.submit(aJobOf("half", 4, 100));
    session.submit(aJobOf("rest", 4, 300));
    session.submit(aJobOf("whole", 8, 50));
    session.submit(aJobOf("long", 2, 500));
    session.submit(aJobOf("one", 2, 90));
    session.submit(aJobOf("two", 2, 90));

    assertThat(session.at(100).finish("half")).containsExactly("start one");
    assertThat(session.scheduler.nextWakeUp()).contains(second(100));
    assertThat(session.pass()).containsExactly("start two");
    assertThat(session.scheduler.nextWakeUp()).contains(second(190));
    assertThat(reserved(session, "whole")).contains(second(300));
  }

  @Test
  void maintenanceBeginsAfterAllPartsOfAnEvent() {
    Session session = startingOneAtATime(4, 4);
    session.on(
        new ClusterEvent.ReservationAnnounced(
            session.now(),
            new AdvanceReservation.Maintenance(
                ReservationId.of("service"), second(100), second(200), List.of(NodeId.of("n1")))));
    session.submit(aJobOf("ends", 4, 100));
    session.submit(aJobOf("outlives", 4, 90));
    session.submit(aJobOf("one", 2, 90));
    session.submit(aJobOf("two", 2, 90));

    assertThat(session.at(100).finish("ends")).containsExactly("start one");
    assertThat(session.pass()).containsExactly("start two");
    assertThat(session.passNext()).containsExactly("preempt outlives");
  }
}
