package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Synchronization;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Progress;
import io.github.liquidscheduler.scheduling.Retry;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import io.github.liquidscheduler.scheduling.StaleEventException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Node n0 is up, n1 drains, n2 is lost, GPU n0:3 is lost; job r runs, w waits, e has ended. */
class BadEventTest {

  private final Session session = Session.of(Policies.fifo(), 4, 4, 4);

  @BeforeEach
  void setUp() {
    session.drain("n1");
    session.lose("n2");
    session.loseGpu("n0", 3);
    session.submit("e", 1);
    session.finish("e");
    session.submit("r", 3);
    session.at(10).submit("w", 2);
  }

  @Test
  void anEventOutOfTimeOrderIsRefused() {
    refused(
        () -> session.at(9).pass(),
        "events must come in the order of their times, but TimePassed at 1970-01-01T00:00:09Z came"
            + " after one at 1970-01-01T00:00:10Z");
  }

  @Test
  void anEventOfAClockThatWentWrongIsRefused() {
    Instant latest = Instant.parse("2261-12-31T23:59:59.999999999Z");

    refused(
        () -> session.scheduler.on(new ClusterEvent.TimePassed(Instant.MAX)),
        "events must come in the years 1970 to 2261, but TimePassed came at"
            + " +1000000000-12-31T23:59:59.999999999Z");
    refused(
        () -> session.scheduler.on(new ClusterEvent.TimePassed(latest.plusNanos(1))),
        "events must come in the years 1970 to 2261, but TimePassed came at 2262-01-01T00:00:00Z");
    refused(
        () -> session.scheduler.on(new ClusterEvent.TimePassed(Instant.EPOCH.minusNanos(1))),
        "events must come in the years 1970 to 2261, but TimePassed came at"
            + " 1969-12-31T23:59:59.999999999Z");
    session.at(11).pass();
    session.scheduler.on(new ClusterEvent.TimePassed(latest));
  }

  @Test
  void theIdOfAKnownJobIsRefused() {
    refused(() -> session.submit("r", 1), "a submitted job must have a new id, but job 'r' runs");
    refused(() -> session.submit("w", 1), "a submitted job must have a new id, but job 'w' waits");
    refused(
        () -> session.submit("e", 1),
        "a submitted job must have a new id, but job 'e' is over (FINISHED)");
  }

  @Test
  void theIdOfARejectedJobIsRefused() {
    session.submit(aJob("huge", 100));

    refused(
        () -> session.submit("huge", 1),
        "a submitted job must have a new id, but job 'huge' is over ("
            + JobStatus.Outcome.REJECTED
            + ")");
  }

  @Test
  void onlyARunningJobFinishes() {
    refused(() -> session.finish("w"), "only a running job can finish, but job 'w' waits");
    refused(
        () -> session.finish("x"),
        "only a running job can finish, but job 'x' is not known: it was never submitted, or is"
            + " over and forgotten");
  }

  @Test
  void onlyARunningJobFails() {
    refused(
        () -> session.fail("w", Failure.CRASHED, Retry.now()),
        "only a running job can fail, but job 'w' waits");
  }

  @Test
  void onlyARunningJobReportsProgress() {
    refused(
        () -> session.progress("w", Progress.of(1, 1)),
        "only a running job can report progress, but job 'w' waits");
  }

  @Test
  void onlyALiveJobIsCancelled() {
    stale(
        () -> session.cancel("e"),
        "only a waiting or running job can be cancelled, but job 'e' is over (FINISHED)");
    refused(
        () -> session.cancel("x"),
        "only a waiting or running job can be cancelled, but job 'x' is not known: it was never"
            + " submitted, or is over and forgotten");
  }

  @Test
  void whatAJobReportsAfterItsEndIsStale() {
    String over = ", but job 'e' is over (FINISHED)";

    stale(() -> session.finish("e"), "only a running job can finish" + over);
    stale(
        () -> session.fail("e", Failure.CRASHED, Retry.now()),
        "only a running job can fail" + over);
    stale(
        () -> session.progress("e", Progress.of(1, 1)),
        "only a running job can report progress" + over);
  }

  @Test
  void whatAJobReportsAfterItWasLostIsStale() {
    session.lose("n0");

    stale(
        () -> session.fail("r", Failure.CRASHED, Retry.now()),
        "only a running job can fail, but job 'r' waits");
  }

  @Test
  void aStaleEventIsToldApartAfterARestart() {
    session.lose("n0");
    Session restored =
        new Session(
            LiquidScheduler.builder(Session.cluster(4, 4, 4))
                .policy(Policies.fifo())
                .restore(session.scheduler.snapshot()));

    assertThatThrownBy(() -> restored.at(11).fail("r", Failure.CRASHED, Retry.no()))
        .isInstanceOf(StaleEventException.class);
    assertThatThrownBy(() -> restored.at(11).fail("w", Failure.CRASHED, Retry.no()))
        .isInstanceOf(IllegalArgumentException.class)
        .isNotInstanceOf(StaleEventException.class);
  }

  @Test
  void whatIsNotSupportedYetIsRefused() {
    JobSpec.Builder relaxed = aJob("x", 2).synchronization(new Synchronization.RelaxedRounds(2, 4));
    String rule = " around this one, but there is none, for job 'x'";

    refused(
        () -> session.submit(relaxed),
        "synchronization in relaxed rounds needs a PooledScheduler" + rule);
  }

  @Test
  void anUpdateToWhatIsNotSupportedYetIsRefused() {
    Synchronization relaxed = new Synchronization.RelaxedRounds(2, 4);
    JobSpec waiting = aJob("w", 2).synchronization(relaxed).build();
    JobSpec running = aJob("r", 3).synchronization(relaxed).build();
    Instant now = Instant.ofEpochSecond(10);
    String rule =
        "synchronization in relaxed rounds needs a PooledScheduler around this one, but there is"
            + " none, for job ";

    refused(() -> session.on(new ClusterEvent.JobUpdated(now, waiting)), rule + "'w'");
    refused(
        () ->
            session.on(
                new ClusterEvent.JobFailed(
                    now, running.id(), Failure.CRASHED, Retry.now(), Optional.of(running))),
        rule + "'r'");
  }

  @Test
  void aJobAndItsQueuePositionCanBeAskedFor() {
    session.submit("v", 1);

    assertThat(session.scheduler.job(JobId.of("r"))).contains(aJob("r", 3).build());
    assertThat(session.scheduler.job(JobId.of("w"))).contains(aJob("w", 2).build());
    assertThat(session.scheduler.job(JobId.of("e"))).isEmpty();
    assertThat(session.scheduler.queuePosition(JobId.of("w"))).hasValue(0);
    assertThat(session.scheduler.queuePosition(JobId.of("v"))).hasValue(1);
    assertThat(session.scheduler.queuePosition(JobId.of("r"))).isEmpty();
    assertThat(session.scheduler.queuePosition(JobId.of("x"))).isEmpty();
  }

  @Test
  void anUnknownNodeIsRefused() {
    refused(
        () -> session.lose("n9"),
        "a node that is to get lost must be in the cluster, but 'n9' is" + " not");
    refused(
        () -> session.drain("n9"),
        "a node that is to drain must be in the cluster, but 'n9' is not");
    refused(
        () -> session.giveBack("n9"),
        "a node that is to return must be in the cluster, but 'n9' is not");
  }

  @Test
  void aNodeIsLostOnce() {
    refused(
        () -> session.lose("n2"),
        "only a node that is UP or DRAINING can get lost, but node 'n2' is LOST");
  }

  @Test
  void anEventOfABrokenClockIsRefusedIfALimitIsSet() {
    Session careful =
        new Session(
            LiquidScheduler.builder(Session.cluster(4))
                .policy(Policies.fifo())
                .largestTimeStep(Duration.ofDays(1))
                .build());
    careful.at(1_000_000).submit(aJob("j", 4));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> careful.at(1_000_000 + 86_401).pass())
        .withMessage(
            "an event must come at most PT24H after the one before it, at 1970-01-12T13:46:40Z, but"
                + " TimePassed came at 1970-01-13T13:46:41Z. If the clock is right, send TimePassed"
                + " in between");
    assertThat(careful.copy().at(1_000_000 + 86_400).finish("j")).isEmpty();
    assertThat(careful.scheduler.whatIf(List.of(), 3).steps()).isEmpty();
  }

  @Test
  void aTimeStepIsPositive() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> LiquidScheduler.builder(Session.cluster(4)).largestTimeStep(Duration.ZERO))
        .withMessage("the largest time between two events must be positive, but was PT0S");
  }

  @Test
  void aLostNodeDoesNotDrain() {
    refused(
        () -> session.drain("n2"),
        "only a node that is UP or DRAINING can drain, but node 'n2' is LOST");
  }

  @Test
  void onlyANodeThatWasAwayReturns() {
    refused(
        () -> session.giveBack("n0"),
        "only a node that is DRAINING or LOST can return, but node 'n0' is UP");
  }

  @Test
  void anUnknownGpuIsRefused() {
    refused(
        () -> session.loseGpu("n0", 4),
        "a GPU that is to get lost must be in the cluster, but '" + GpuId.of("n0", 4) + "' is not");
    refused(
        () -> session.giveBackGpu("n9", 0),
        "a GPU that is to return must be in the cluster, but 'n9:0' is not");
  }

  @Test
  void aGpuIsLostOnceAndReturnsOnce() {
    refused(
        () -> session.loseGpu("n0", 3),
        "only a GPU that is there can get lost, but GPU 'n0:3' is lost already");
    refused(
        () -> session.giveBackGpu("n0", 0),
        "only a GPU that is lost can return, but GPU 'n0:0' is there");
  }

  private void refused(ThrowingCallable event, String message) {
    refused(IllegalArgumentException.class, event, message);
  }

  private void stale(ThrowingCallable event, String message) {
    refused(StaleEventException.class, event, message);
  }

  private void refused(Class<?> type, ThrowingCallable event, String message) {
    SchedulerSnapshot before = session.scheduler.snapshot();

    assertThatThrownBy(event).isExactlyInstanceOf(type).hasMessage(message);

    assertThat(session.scheduler.snapshot()).isEqualTo(before);
  }
}
