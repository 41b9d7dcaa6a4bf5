package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static io.github.liquidscheduler.scheduler.Session.aJobOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.explanation.Constraint;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduling.AdvanceReservation;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.ReservationId;
import io.github.liquidscheduler.scheduling.ReservationStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What operators announce is kept free by the time it begins, and used until then. */
class AdvanceReservationTest {

  private static final ReservationId ID = ReservationId.of("firmware");

  private final Session session = session(PreemptionRules.NONE, 4, 4);

  private static Session session(PreemptionRules rules, int... gpusOfNodes) {
    return new Session(
        LiquidScheduler.builder(Session.cluster(gpusOfNodes))
            .policy(Policies.fifo())
            .backfill(Backfill.easy())
            .preemption(rules)
            .build());
  }

  private static AdvanceReservation maintenance(long from, long until, String... nodes) {
    return new AdvanceReservation.Maintenance(
        ID, second(from), second(until), Stream.of(nodes).map(NodeId::of).toList());
  }

  private static AdvanceReservation reserve(long from, long until, int gpus, String... jobs) {
    return new AdvanceReservation.Capacity(
        ID,
        second(from),
        second(until),
        JobSpec.builder("shape").gpus(gpus).build(),
        Stream.of(jobs).map(JobId::of).toList(),
        Optional.empty());
  }

  private static Instant second(long second) {
    return Instant.ofEpochSecond(second);
  }

  private static List<String> announce(Session session, AdvanceReservation reservation) {
    return session.on(new ClusterEvent.ReservationAnnounced(session.now(), reservation));
  }

  private static List<String> change(Session session, AdvanceReservation reservation) {
    return session.on(new ClusterEvent.ReservationChanged(session.now(), reservation));
  }

  private static List<String> cancel(Session session) {
    return session.on(new ClusterEvent.ReservationCancelled(session.now(), ID));
  }

  private static Optional<List<String>> roomOf(Session session) {
    return session.scheduler.advanceReservations().stream()
        .map(ReservationStatus::placement)
        .flatMap(Optional::stream)
        .map(Placement::nodes)
        .map(nodes -> nodes.stream().map(NodeId::value).toList())
        .findFirst();
  }

  @Test
  void aJobStartsOnANodeOnlyIfItIsExpectedToEndBeforeItsMaintenance() {
    announce(session, maintenance(100, 200, "n0", "n1"));

    assertThat(session.submit(aJobOf("long", 1, 101))).isEmpty();
    assertThat(session.submit(aJobOf("short", 1, 100))).containsExactly("start short");
    assertThat(session.scheduler.reservedStart(JobId.of("long"))).contains(second(200));
  }

  @Test
  void aJobThatIsTooLongForOneNodeStartsOnAnother() {
    announce(session, maintenance(100, 200, "n0"));

    session.submit(aJobOf("long", 2, 500));

    assertThat(session.nodesOf("long")).containsExactly("n1");
  }

  @Test
  void theExplanationNamesTheNodeAndUntilWhenTheJobMayRun() {
    announce(session, maintenance(100, 200, "n0", "n1"));
    session.at(10).submit(aJobOf("long", 1, 130));

    assertThat(session.explain("long").unmetConstraints())
        .extracting(unmet -> unmet.constraint() + ": " + unmet.scope())
        .containsExactly(
            Constraint.RESERVATION
                + ": node 'n0' is reserved for maintenance from 1970-01-01T00:01:40Z until"
                + " 1970-01-01T00:03:20Z, by reservation 'firmware'; this job may run until"
                + " 1970-01-01T00:02:20Z");
  }

  @Test
  void whatAWinnerFreesIsKeptAsAnnouncedBeforeOthersReserveIt() {
    Session session =
        new Session(
            LiquidScheduler.builder(Session.cluster(2))
                .policy(Policies.priority())
                .backfill(Backfill.easy())
                .build());
    session.submit(aJobOf("low", 2, 5000));
    announce(session, reserve(100, 1000, 2, "mine"));
    assertThat(roomOf(session)).isEmpty();

    assertThat(session.at(50).submit(aJobOf("high", 1, 20).priority(1)))
        .containsExactly("preempt low", "start high");
    assertThat(roomOf(session)).contains(List.of("n0"));
    assertThat(session.scheduler.reservedStart(JobId.of("low"))).contains(second(1000));
  }

  @Test
  void jobsStillRunningAtMaintenanceArePreemptedAndMayRestartElsewhere() {
    session.submit(aJob("unknown", 4).preemptible(false));
    announce(session, maintenance(100, 200, "n0"));

    assertThat(session.scheduler.nextWakeUp()).contains(second(100));
    assertThat(session.at(100).pass()).containsExactly("preempt unknown", "start unknown");
    assertThat(session.last())
        .first()
        .isEqualTo(new Decision.Preempt(JobId.of("unknown"), new Reason.ReservationBegan(ID)));
    assertThat(session.nodesOf("unknown")).containsExactly("n1");
  }

  @Test
  void jobsThatEndAtTheInstantAtWhichMaintenanceBeginsAreNotStopped() {
    session.submit(aJobOf("one", 4, 100));
    session.submit(aJobOf("other", 4, 100));
    announce(session, maintenance(100, 200, "n0", "n1"));

    assertThat(session.at(100).finish("one")).isEmpty();
    assertThat(session.scheduler.nextWakeUp()).contains(second(100).plusNanos(1));
    assertThat(session.finish("other")).isEmpty();
  }

  @Test
  void maintenanceBeginsOnceForAllWithTheFirstEventAfterItsInstant() {
    session.submit(aJobOf("one", 4, 100));
    session.submit(aJobOf("other", 4, 100));
    announce(session, maintenance(100, 200, "n0", "n1"));
    session.at(100).finish("one");

    assertThat(session.at(101).submit(aJobOf("short", 1, 1))).containsExactly("preempt other");
    assertThat(session.scheduler.nextWakeUp()).contains(second(200));
  }

  @Test
  void whatIsAnnouncedToBeginAtOnceDoesSoAsSoonAsTheInstantIsOver() {
    session.submit(aJob("unknown", 8));

    assertThat(announce(session, maintenance(0, 200, "n0"))).isEmpty();
    assertThat(session.scheduler.nextWakeUp()).contains(Instant.EPOCH.plusNanos(1));
    assertThat(session.pass()).containsExactly("preempt unknown");
    assertThat(session.scheduler.nextWakeUp()).contains(second(200));
  }

  @Test
  void reservedCapacityWithARetiredNodeMovesElsewhereWithoutPreemption() {
    Session three = session(PreemptionRules.NONE, 4, 4, 4);
    announce(three, reserve(100, 200, 8, "gang"));
    three.submit(aJobOf("late", 2, 90));
    three.submit(aJobOf("long", 4, 500));
    three.at(50).submit(aJobOf("gang", 8, 90));
    three.at(91).pass();
    String empty = emptyNode(three);

    assertThat(three.at(101).on(new ClusterEvent.NodeRetired(second(101), NodeId.of(empty))))
        .isEmpty();
    assertThat(roomOf(three)).isEmpty();
  }

  private static String emptyNode(Session session) {
    List<String> used =
        Stream.of("late", "long").flatMap(job -> session.nodesOf(job).stream()).toList();
    return Stream.of("n0", "n1", "n2")
        .filter(node -> !used.contains(node))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void whoIsPreemptedHasTheGracePeriod() {
    Session graceful = session(PreemptionRules.NONE.gracePeriod(Duration.ofSeconds(30)), 4);
    graceful.submit(aJob("unknown", 4));
    announce(graceful, maintenance(100, 200, "n0"));

    graceful.at(100).pass();

    assertThat(graceful.last())
        .containsExactly(
            new Decision.Preempt(
                JobId.of("unknown"), new Reason.ReservationBegan(ID), Optional.of(second(130))));
  }

  @Test
  void whenMaintenanceIsOverTheNodeIsUsedAgain() {
    announce(session, maintenance(100, 200, "n0", "n1"));
    session.at(150).submit(aJobOf("waits", 8, 50));

    assertThat(session.scheduler.nextWakeUp()).contains(second(200));
    assertThat(session.at(200).pass()).containsExactly("start waits");
    assertThat(session.scheduler.advanceReservations()).isEmpty();
    assertThat(session.scheduler.nextWakeUp()).isEmpty();
  }

  @Test
  void cancelledMaintenanceIsInNobodysWay() {
    announce(session, maintenance(100, 200, "n0", "n1"));
    session.submit(aJobOf("long", 1, 500));

    assertThat(session.at(10).on(new ClusterEvent.ReservationCancelled(second(10), ID)))
        .containsExactly("start long");
  }

  @Test
  void maintenanceThatIsPutOffLetsLongerJobsStart() {
    announce(session, maintenance(100, 200, "n0", "n1"));
    session.submit(aJobOf("long", 1, 500));

    assertThat(change(session.at(10), maintenance(510, 600, "n0", "n1")))
        .containsExactly("start long");
  }

  @Test
  void capacityIsReservedForTheNamedJob() {
    announce(session, reserve(100, 200, 8, "gang"));

    assertThat(session.submit(aJobOf("other", 1, 101))).isEmpty();
    assertThat(session.submit(aJobOf("short", 8, 100))).containsExactly("start short");
    session.at(50).submit(aJobOf("gang", 8, 90));
    assertThat(session.at(100).finish("short")).containsExactly("start gang");
  }

  @Test
  void jobsOfAQueueShareTheCapacityReservedForIt() {
    announce(
        session,
        new AdvanceReservation.Capacity(
            ID,
            second(0),
            second(1000),
            JobSpec.builder("shape").gpus(8).build(),
            List.of(),
            Optional.of(QueueName.of("vip"))));

    assertThat(session.submit(aJobOf("other", 1, 10))).isEmpty();
    assertThat(session.submit(aJobOf("first", 4, 100).queue("vip"))).containsExactly("start first");
    assertThat(session.submit(aJobOf("second", 4, 100).queue("vip")))
        .containsExactly("start second");
    assertThat(session.at(50).finish("first")).isEmpty();
    assertThat(session.submit(aJobOf("third", 4, 100).queue("vip"))).containsExactly("start third");
  }

  @Test
  void aReservationEndsOnceItsJobsHaveEnded() {
    announce(session, reserve(100, 1000, 8, "gang"));
    session.at(100).submit(aJobOf("gang", 8, 90));
    session.submit(aJobOf("other", 1, 500));

    assertThat(session.at(150).finish("gang")).containsExactly("start other");
    assertThat(session.scheduler.advanceReservations()).isEmpty();
  }

  @Test
  void aJobPrefersTheCapacityReservedForIt() {
    announce(session, reserve(0, 1000, 4, "mine"));
    assertThat(roomOf(session)).contains(List.of("n0"));
    session.submit(aJobOf("filler", 2, 2000));

    session.submit(aJobOf("mine", 1, 50));

    assertThat(session.nodesOf("filler")).containsExactly("n1");
    assertThat(session.nodesOf("mine")).containsExactly("n0");
  }

  @Test
  void capacityHeldByRunningJobsIsReservedFromTheirExpectedEnd() {
    session.submit(aJobOf("running", 8, 150));
    announce(session, reserve(100, 200, 8, "gang"));

    assertThat(session.scheduler.advanceReservations())
        .extracting(ReservationStatus::heldFrom)
        .containsExactly(Optional.of(second(150)));
    session.at(120).finish("running");
    assertThat(session.scheduler.advanceReservations())
        .extracting(ReservationStatus::heldFrom)
        .containsExactly(Optional.of(second(120)));
  }

  @Test
  void anOverrunningJobLeavesReservedCapacityIfAJobWaitsForIt() {
    session.submit(aJobOf("late", 8, 90));
    announce(session, reserve(100, 200, 8, "gang"));
    session.at(50).submit(aJobOf("gang", 8, 90));

    session.at(91).pass();

    assertThat(session.at(100).pass()).containsExactly("preempt late", "start gang");
  }

  @Test
  void reservedCapacityMovesElsewhereIfItsNodesAreLost() {
    announce(session, reserve(100, 200, 4, "gang"));
    assertThat(roomOf(session)).contains(List.of("n0"));

    session.lose("n0");

    assertThat(roomOf(session)).contains(List.of("n1"));
    session.lose("n1");
    assertThat(roomOf(session)).isEmpty();
  }

  @Test
  void whatCannotBeIsRefusedAndChangesNothing() {
    session.at(50);
    announce(session, maintenance(100, 200, "n0"));
    var before = session.scheduler.snapshot();

    assertThatThrownBy(() -> announce(session, maintenance(300, 400, "n1")))
        .hasMessage(
            "a reservation must have an id of its own, but 'firmware' is announced already."
                + " Use ReservationChanged");
    assertThatThrownBy(() -> change(session, maintenance(10, 400, "n1")))
        .hasMessage(
            "a reservation must not begin before it is announced, at 1970-01-01T00:00:50Z, but was"
                + " from 1970-01-01T00:00:10Z, for reservation 'firmware'");
    assertThatThrownBy(() -> change(session, maintenance(100, 200, "n7")))
        .hasMessage(
            "maintenance must be of nodes of the cluster, but 'n7' is none, for reservation"
                + " 'firmware'");
    assertThatThrownBy(() -> change(session, reserve(100, 200, 16, "gang")))
        .hasMessageStartingWith(
            "reserved capacity must fit into the cluster when it is empty, but does not (");
    assertThatThrownBy(() -> maintenance(100, 100, "n0"))
        .hasMessage(
            "a reservation must end after it begins, but was from 1970-01-01T00:01:40Z until"
                + " 1970-01-01T00:01:40Z, for reservation 'firmware'");
    assertThatThrownBy(() -> maintenance(100, 200, "n0", "n0"))
        .hasMessage(
            "maintenance must name at least one node, and each once, but named [n0, n0], for"
                + " reservation 'firmware'");
    assertThatThrownBy(() -> reserve(100, 200, 1))
        .hasMessage(
            "capacity must be reserved for a queue or for named jobs, but was for nobody, for"
                + " reservation 'firmware'");
    assertThat(session.scheduler.snapshot()).isEqualTo(before);

    cancel(session);
    assertThatThrownBy(() -> cancel(session))
        .hasMessage(
            "a reservation must be announced and not have ended, but 'firmware' is not such");
  }

  @Test
  void withoutBackfillThereIsNoTimelineToReserveOn() {
    Session plain = Session.of(Policies.fifo(), 4);

    assertThatThrownBy(() -> announce(plain, maintenance(100, 200, "n0")))
        .hasMessage(
            "advance reservations need the timeline of backfill, which is off. Use"
                + " backfill(Backfill.easy()), or NodeDraining with a deadline");
  }
}
