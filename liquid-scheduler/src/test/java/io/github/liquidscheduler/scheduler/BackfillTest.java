package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static io.github.liquidscheduler.scheduler.Session.aJobOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.explanation.Constraint;
import io.github.liquidscheduler.explanation.Explanation;
import io.github.liquidscheduler.explanation.StartEstimate;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.planning.Migration;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.AdvanceReservation;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Progress;
import io.github.liquidscheduler.scheduling.ReservationId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Jobs start before others that came first only where they are not in their way. */
class BackfillTest {

  private static final Instant AT_100 = Instant.ofEpochSecond(100);
  private static final Instant LATE = Instant.ofEpochMilli(106_250);

  private final Session session = backfilling(Backfill.easy(), 4);

  private static Session backfilling(Backfill rules, int... gpusOfNodes) {
    return new Session(
        LiquidScheduler.builder(Session.cluster(gpusOfNodes))
            .policy(Policies.fifo())
            .backfill(rules)
            .build());
  }

  /** Half of the node is busy until 100; a job that needs all of it waits. */
  private void half() {
    session.submit(aJobOf("half", 2, 100));
    session.submit(aJobOf("whole", 4, 50));
  }

  private static Optional<Instant> reserved(Session session, String job) {
    return session.scheduler.reservedStart(JobId.of(job));
  }

  @Test
  void theFirstJobThatDoesNotFitIsPromisedAStart() {
    half();

    assertThat(reserved(session, "whole")).contains(AT_100);
    assertThat(session.scheduler.nextWakeUp()).contains(AT_100);
  }

  @Test
  void aJobThatEndsBeforeThatStartsAtOnceAndALongerOneWaits() {
    half();

    assertThat(session.at(10).submit(aJobOf("long", 1, 91))).isEmpty();
    assertThat(session.submit(aJobOf("short", 1, 90))).containsExactly("start short");
    assertThat(reserved(session, "whole")).contains(AT_100);
  }

  @Test
  void whoAsksForSomethingElseGivesUpThePromise() {
    half();

    assertThat(
            session
                .at(10)
                .on(
                    new ClusterEvent.JobUpdated(
                        Instant.ofEpochSecond(10), aJobOf("whole", 3, 200).build())))
        .isEmpty();
    assertThat(reserved(session, "whole")).contains(AT_100);
    assertThat(session.submit(aJobOf("beside", 1, 500))).containsExactly("start beside");
  }

  @Test
  void thePromiseIsKeptWhenTheTimeHasCome() {
    half();
    session.at(10).submit(aJobOf("short", 2, 90));

    assertThat(session.at(100).finish("half")).isEmpty();
    assertThat(session.finish("short")).containsExactly("start whole");
  }

  @Test
  void anEarlyEndBringsThePromiseForward() {
    half();

    assertThat(session.at(60).finish("half")).containsExactly("start whole");
  }

  @Test
  void whoRunsLongerThanExpectedIsExpectedToEndSoonAndThenToRunTwiceAsLong() {
    half();

    assertThat(session.at(101).pass()).isEmpty();
    assertThat(reserved(session, "whole")).contains(LATE);
    assertThat(session.at(107).pass()).isEmpty();
    assertThat(reserved(session, "whole")).contains(Instant.ofEpochSecond(200));
  }

  @Test
  void nobodyPassesAReservationForAnEndThatIsReportedALittleLate() {
    Session two = backfilling(Backfill.easy(), 4, 4);
    two.submit(aJobOf("one", 3, 7200));
    two.submit(aJobOf("other", 4, 7200));
    two.submit(aJobOf("both", 8, 3600));
    two.at(6000).submit(aJobOf("next", 1, 1800));

    assertThat(two.at(7201).pass()).isEmpty();
    assertThat(two.at(7202).finish("one")).isEmpty();
    assertThat(two.at(7203).finish("other")).containsExactly("start both");
  }

  @Test
  void aStartBesideAJobThatOutlivesItsExpectationIsDueOnceTimePassesBeyondIt() {
    half();
    assertThat(session.at(50).submit(aJobOf("small", 1, 60))).isEmpty();
    assertThat(session.scheduler.nextWakeUp()).contains(AT_100);
    assertThat(session.at(100).pass()).isEmpty();

    Instant beyond = AT_100.plusNanos(1);
    assertThat(session.scheduler.nextWakeUp()).contains(beyond);
    assertThat(session.on(new ClusterEvent.TimePassed(beyond))).isEmpty();
    assertThat(session.scheduler.nextWakeUp()).contains(LATE);
    session.on(new ClusterEvent.TimePassed(LATE));

    Instant afterThat = LATE.plusNanos(1);
    assertThat(session.scheduler.nextWakeUp()).contains(afterThat);
    assertThat(session.on(new ClusterEvent.TimePassed(afterThat))).containsExactly("start small");
  }

  /** The reservation at 102 is not missed yet, but cannot be kept. */
  @Test
  void whatAnOutlivedEndAllowsIsDueOnceTimePassesBeyondThatEnd() {
    Session node = backfilling(Backfill.easy(), 8);
    node.submit(aJobOf("first", 4, 100));
    node.submit(aJobOf("second", 2, 102));
    node.submit(aJobOf("whole", 8, 50));
    assertThat(node.at(99).submit(aJobOf("small", 2, 4))).isEmpty();
    assertThat(node.at(100).pass()).isEmpty();

    Instant beyond = AT_100.plusNanos(1);
    assertThat(node.scheduler.nextWakeUp()).contains(beyond);
    assertThat(node.on(new ClusterEvent.TimePassed(beyond))).containsExactly("start small");
  }

  @Test
  void behindAJobThatIsToRunForEverNothingIsReservedAndNobodyHasToWait() {
    session.at(100).submit(aJobOf("half", 2, Long.MAX_VALUE));
    session.submit(aJobOf("whole", 4, 50));

    assertThat(reserved(session, "whole")).isEmpty();
    assertThat(session.submit(aJobOf("small", 1, 60))).containsExactly("start small");
  }

  @Test
  void anEndThatIsReportedAtTheExpectedInstantIsNotLate() {
    half();
    session.at(50).submit(aJobOf("small", 1, 60));

    assertThat(session.at(100).pass()).isEmpty();
    assertThat(session.finish("half")).containsExactly("start whole");
  }

  /** Until 100 two GPUs of each node are busy; "whole" is to start on n1 then, or on n0 at 2000. */
  private static Session twoHalves(long seconds) {
    Session two = backfilling(Backfill.easy(), 4, 4);
    two.submit(aJobOf("long", 2, 2000));
    two.submit(aJobOf("mover", 2, seconds));
    two.submit(aJobOf("half", 2, 100));
    two.submit(aJobOf("whole", 4, 50).topology(TopologyConstraint.required("node")));
    return two;
  }

  private static List<String> moveToN1(Session session) {
    return session.plan(
        0, List.of(new Migration(JobId.of("mover"), Session.place("mover on n1 2 3"), 1, 100)));
  }

  @Test
  void aPlannedMoveTakesNoCapacityThatIsReserved() {
    Session tooLong = twoHalves(101);
    assertThat(moveToN1(tooLong)).isEmpty();
    assertThat(reserved(tooLong, "whole")).contains(AT_100);

    Session inTime = twoHalves(100);
    assertThat(moveToN1(inTime)).containsExactly("migrate mover");
    assertThat(reserved(inTime, "whole")).contains(AT_100);
  }

  @Test
  void aPlannedMoveStaysOffNodesThatAreSoonMaintained() {
    for (long seconds : new long[] {100, 101}) {
      Session two = backfilling(Backfill.easy(), 4, 4);
      two.submit(aJobOf("mover", 2, seconds));
      two.on(
          new ClusterEvent.ReservationAnnounced(
              Instant.EPOCH,
              new AdvanceReservation.Maintenance(
                  ReservationId.of("upgrade"),
                  AT_100,
                  AT_100.plusSeconds(100),
                  List.of(NodeId.of("n1")))));

      assertThat(moveToN1(two))
          .containsExactlyElementsOf(seconds > 100 ? List.of() : List.of("migrate mover"));
    }
  }

  @Test
  void whatARunningJobReportsMovesThePromise() {
    half();

    session
        .at(50)
        .on(
            new ClusterEvent.JobProgressed(
                Instant.ofEpochSecond(50),
                JobId.of("half"),
                Progress.of(1, 1).withRemaining(Duration.ofSeconds(70))));

    assertThat(reserved(session, "whole")).contains(Instant.ofEpochSecond(120));
  }

  @Test
  void ofAJobWithoutExpectationTheAssumedTimeIsExpected() {
    Session assuming = backfilling(Backfill.easy().assuming(Duration.ofSeconds(30)), 4);
    assuming.submit(aJob("unknown", 2));
    assuming.submit(aJobOf("whole", 4, 50));

    assertThat(reserved(assuming, "whole")).contains(Instant.ofEpochSecond(30));
  }

  @Test
  void theMedianRunTimeOfAKnownKindIsExpected() {
    Session learning = backfilling(Backfill.easy(), 4);
    for (int run = 0; run < 5; run++) {
      learning.at(100L * run).submit(aJob("run-" + run, 2));
      learning.at(100L * run + 20 + run).finish("run-" + run);
    }
    learning.at(1000).submit(aJob("unknown", 2));
    learning.submit(aJobOf("whole", 4, 50));

    assertThat(reserved(learning, "whole")).contains(Instant.ofEpochSecond(1024));
  }

  /** The first was short, then fifteen were long, fifteen short, and one long. */
  @Test
  void theMedianIsThatOfTheLast31RunTimes() {
    assertThat(expectedEnd(31)).contains(Instant.ofEpochSecond(4008));
    assertThat(expectedEnd(32)).contains(Instant.ofEpochSecond(4064));
  }

  private static Optional<Instant> expectedEnd(int runs) {
    Session learning = backfilling(Backfill.easy(), 4);
    for (int run = 0; run < runs; run++) {
      boolean isLong = (run > 0 && run < 16) || run == 31;
      learning.at(100L * run).submit(aJob("run-" + run, 2));
      learning.at(100L * run + (isLong ? 64 : 8)).finish("run-" + run);
    }
    learning.at(4000).submit(aJob("unknown", 2));
    learning.submit(aJobOf("whole", 4, 50));
    return reserved(learning, "whole");
  }

  /** Run times are kept by family and number of GPUs. */
  @Test
  void theRunTimesOfAFamilyThatIsNamedLikeANumberOfGpusOutliveARestart() {
    Session learning = backfilling(Backfill.easy(), 4);
    for (int run = 0; run < 5; run++) {
      learning.at(100L * run).submit(ofFamily("gpt x 2", "run-" + run));
      learning.at(100L * run + 64).finish("run-" + run);
    }
    Session restored =
        new Session(
            LiquidScheduler.builder(Session.cluster(4))
                .policy(Policies.fifo())
                .backfill(Backfill.easy())
                .restore(learning.scheduler.snapshot()));
    restored.at(1000).submit(ofFamily("gpt x 2", "unknown"));
    restored.submit(aJobOf("whole", 4, 50));

    assertThat(reserved(restored, "whole")).contains(Instant.ofEpochSecond(1064));
  }

  private static JobSpec.Builder ofFamily(String family, String job) {
    return aJob(job, 2).workload(Workload.builder(family).build());
  }

  @Test
  void withTwoReservationsTheSecondIsNotDelayedEither() {
    Session two = backfilling(Backfill.reserving(2), 4);
    two.submit(aJobOf("half", 2, 100));
    two.submit(aJobOf("whole", 4, 50));
    two.submit(aJobOf("next", 3, 10));

    assertThat(reserved(two, "whole")).contains(AT_100);
    assertThat(reserved(two, "next")).contains(Instant.ofEpochSecond(150));
    assertThat(reserved(session, "next")).isEmpty();
  }

  @Test
  void whereOnlyLargeJobsReserveSmallOnesBeforeThemHoldNothing() {
    Session large = backfilling(Backfill.easy().forJobsOf(4), 4);
    large.submit(aJobOf("half", 2, 100));
    large.submit(aJobOf("small", 3, 10));
    large.submit(aJobOf("whole", 4, 50));

    assertThat(reserved(large, "small")).isEmpty();
    assertThat(reserved(large, "whole")).contains(AT_100);
  }

  @Test
  void aReservationOnANodeThatIsLostIsMadeElsewhereBehindJobsThatComeFirst() {
    Session nodes = backfilling(Backfill.easy(), 2, 2);
    nodes.submit(aJobOf("a", 2, 100));
    nodes.submit(aJobOf("b", 2, 200));
    nodes.submit(aJobOf("c", 2, 10));
    assertThat(reserved(nodes, "c")).contains(AT_100);
    NodeId first =
        nodes.scheduler.view().placement(JobId.of("a")).orElseThrow().nodes().iterator().next();

    nodes.at(50).on(new ClusterEvent.NodeLost(Instant.ofEpochSecond(50), first));

    assertThat(reserved(nodes, "a")).contains(Instant.ofEpochSecond(200));
    assertThat(reserved(nodes, "c")).contains(Instant.ofEpochSecond(250));
  }

  @Test
  void theExplanationNamesTheJobThatWouldBeDelayed() {
    half();
    session.submit(aJobOf("long", 1, 500));

    Explanation why = session.scheduler.explain(JobId.of("long"));

    assertThat(why.unmetConstraints())
        .singleElement()
        .returns(Constraint.RESERVATION, UnmetConstraint::constraint)
        .extracting(UnmetConstraint::describe)
        .isEqualTo(
            "RESERVATION (job 'whole' is to start at 1970-01-01T00:01:40Z): it would be in the"
                + " way");
    assertThat(session.scheduler.explain(JobId.of("whole")).queue().expectedStart())
        .contains(new StartEstimate.ExpectedAt(AT_100));
  }

  @Test
  void onALargerClusterTheReservedJobStartsAtOnce() {
    half();
    LiquidScheduler larger =
        LiquidScheduler.builder(Session.cluster(4, 4))
            .policy(Policies.fifo())
            .backfill(Backfill.easy())
            .restore(session.scheduler.snapshot());

    assertThat(larger.nextWakeUp()).contains(Instant.EPOCH);
    assertThat(larger.on(new ClusterEvent.TimePassed(Instant.EPOCH)))
        .singleElement()
        .isInstanceOf(Decision.Start.class);
  }

  @Test
  void aCancelledJobGivesItsPlaceUp() {
    half();
    session.submit(aJobOf("long", 1, 500));

    assertThat(session.on(new ClusterEvent.JobCancelled(Instant.EPOCH, JobId.of("whole"))))
        .containsExactly("start long");
  }

  @Test
  void atLeastOneJobHoldsAReservation() {
    assertThatThrownBy(() -> Backfill.reserving(0))
        .hasMessage("at least 1 job must hold a reservation, but 0 were to");
    assertThatThrownBy(() -> Backfill.easy().forJobsOf(-1))
        .hasMessage("the least number of GPUs must not be negative, but was -1");
    assertThatThrownBy(() -> Backfill.easy().assuming(Duration.ZERO))
        .hasMessage("an assumed run time must be positive, but was PT0S");
  }
}
