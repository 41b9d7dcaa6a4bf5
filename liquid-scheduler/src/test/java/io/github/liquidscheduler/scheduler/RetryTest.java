package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.explanation.Explanation;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.RetryBackoff;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Retry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Jobs that failed are started again later, elsewhere, or not at all. */
class RetryTest {

  private static final NodeId N0 = NodeId.of("n0");

  private final Session session = Session.of(Policies.bestEffortFifo(), 2, 2);

  @Test
  void aStartThatWasNotCarriedOutIsNotTriedAgainAtOnce() {
    session.submit("a", 2);

    assertThat(session.at(5).fail("a", Failure.NOT_STARTED, Retry.now())).isEmpty();
    assertThat(session.scheduler.nextWakeUp()).contains(Instant.ofEpochSecond(15));
    assertThat(session.at(14).pass()).isEmpty();
    assertThat(session.at(15).pass()).containsExactly("start a");
  }

  @Test
  void aJobThatCrashedOnceKeepsItsTurnAndThenWaitsTwiceAsLongEachTime() {
    session.submit("a", 4);

    assertThat(session.at(5).fail("a", Failure.CRASHED, Retry.now())).containsExactly("start a");
    assertThat(session.at(10).fail("a", Failure.CRASHED, Retry.now())).isEmpty();
    assertThat(session.at(20).pass()).containsExactly("start a");
    assertThat(session.at(25).fail("a", Failure.CRASHED, Retry.now())).isEmpty();
    assertThat(session.at(44).pass()).isEmpty();
    assertThat(session.at(45).pass()).containsExactly("start a");
  }

  @Test
  void aLongRunEndsTheRowOfFailures() {
    session.submit("a", 4);
    session.at(5).fail("a", Failure.CRASHED, Retry.now());

    assertThat(session.at(400).fail("a", Failure.CRASHED, Retry.now())).containsExactly("start a");
  }

  @Test
  void aJobThatFailsTooOftenIsGivenUp() {
    Session strict =
        new Session(
            LiquidScheduler.builder(Session.cluster(2))
                .policy(Policies.fifo())
                .retries(RetryBackoff.NONE.givingUpAfter(2))
                .build());
    strict.submit("a", 2);
    strict.submit("b", 2);

    assertThat(strict.fail("a", Failure.CRASHED, Retry.now())).containsExactly("start a");
    assertThat(strict.fail("a", Failure.CRASHED, Retry.now()))
        .containsExactly("reject a", "start b");
    assertThat(strict.scheduler.status(JobId.of("a")))
        .contains(
            new JobStatus.Ended(JobStatus.Outcome.FAILED, Optional.of("failed 2 times in a row")));
  }

  @Test
  void aRetryMayBePutOffAndSentElsewhere() {
    session.submit("a", 2);
    Retry retry = Retry.after(Duration.ofMinutes(2)).avoiding(N0);

    assertThat(session.at(5).fail("a", Failure.NOT_STARTED, retry)).isEmpty();
    assertThat(session.at(124).pass()).isEmpty();
    assertThat(session.at(125).pass()).containsExactly("start a");
    assertThat(session.nodesOf("a")).containsExactly("n1");
  }

  @Test
  void aRetryThatIsPutOffForEverAsksForNoWakeUp() {
    session.submit("a", 2);

    session.at(5).fail("a", Failure.CRASHED, Retry.after(Duration.ofSeconds(Long.MAX_VALUE)));

    assertThat(session.scheduler.nextWakeUp()).isEmpty();
    assertThat(session.scheduler.whatIf(List.of(), 3).steps()).isEmpty();
  }

  @Test
  void aNodeIsNotAvoidedIfNothingElseCouldHoldTheJob() {
    session.submit("a", 4);

    session.at(5).fail("a", Failure.NOT_STARTED, Retry.now().avoiding(N0));

    assertThat(session.at(15).pass()).containsExactly("start a");
    assertThat(session.nodesOf("a")).containsExactly("n0", "n1");
  }

  @Test
  void anUpdateEndsWhatAFailureHasBegun() {
    session.submit("a", 2);
    session.at(5).fail("a", Failure.NOT_STARTED, Retry.after(Duration.ofHours(1)).avoiding(N0));

    JobSpec anywhere = aJob("a", 4).build();
    assertThat(session.on(new ClusterEvent.JobUpdated(Instant.ofEpochSecond(6), anywhere)))
        .containsExactly("start a");
  }

  @Test
  void aFailureWithAnUpdateIsRetriedAtOnceUnlessPutOff() {
    session.submit("a", 2);

    assertThat(session.on(failure("a", Retry.now()))).containsExactly("start a");
    assertThat(session.on(failure("a", Retry.after(Duration.ofSeconds(30))))).isEmpty();
    assertThat(session.at(30).pass()).containsExactly("start a");
  }

  @Test
  void aJobThatIsKeptWaitingBlocksNobodyAndSaysUntilWhen() {
    Session fifo = Session.of(Policies.fifo(), 2);
    fifo.submit("a", 2);
    fifo.submit("b", 2);

    assertThat(fifo.at(5).fail("a", Failure.NOT_STARTED, Retry.now())).containsExactly("start b");
    assertThat(fifo.scheduler.waiting()).containsExactly(JobId.of("a"));
    assertThat(fifo.scheduler.queuePosition(JobId.of("a"))).hasValue(0);
    fifo.at(9).pass();
    Explanation why = fifo.explain("a");
    assertThat(why.unmetConstraints())
        .extracting(UnmetConstraint::describe)
        .first()
        .isEqualTo("BACK_OFF (until 1970-01-01T00:00:15Z): 4 of 10 seconds have passed");
  }

  @Test
  void secondsThatHaveToPassAreRoundedUp() {
    Session fifo = Session.of(Policies.fifo(), 2);
    fifo.submit("a", 2);
    fifo.at(5).fail("a", Failure.NOT_STARTED, Retry.after(Duration.ofMillis(10_500)));

    assertThat(fifo.explain("a").unmetConstraints())
        .extracting(UnmetConstraint::describe)
        .first()
        .isEqualTo("BACK_OFF (until 1970-01-01T00:00:15.500Z): 0 of 11 seconds have passed");
  }

  @Test
  void aJobThatIsKeptWaitingCanBeCancelledSavedAndCopied() {
    session.submit("a", 2);
    session.at(5).fail("a", Failure.NOT_STARTED, Retry.now().avoiding(N0));

    for (Session other : List.of(session.restored(), session.copy())) {
      assertThat(other.at(15).pass()).containsExactly("start a");
      assertThat(other.nodesOf("a")).containsExactly("n1");
    }
    session.cancel("a");
    assertThat(session.scheduler.waiting()).isEmpty();
    assertThat(session.scheduler.nextWakeUp()).isEmpty();
  }

  @Test
  void inBatchModeItComesIntoAWindowWhenItsTimeHasCome() {
    Session batch =
        new Session(
            LiquidScheduler.builder(Session.cluster(2))
                .policy(Policies.bestEffortFifo())
                .batch(BatchWindowTest.WINDOW)
                .build());
    batch.submit("a", 2);
    batch.at(15).pass();
    batch.at(16).plan(1, "a on n0 0 1");
    batch.at(20).fail("a", Failure.NOT_STARTED, Retry.now());

    assertThat(batch.scheduler.nextWakeUp()).contains(Instant.ofEpochSecond(30));
    assertThat(batch.at(30).pass()).isEmpty();
    assertThat(batch.at(45).pass()).containsExactly("plan [a]");
  }

  private static ClusterEvent failure(String job, Retry retry) {
    return new ClusterEvent.JobFailed(
        Instant.EPOCH,
        JobId.of(job),
        Failure.OUT_OF_MEMORY,
        retry,
        Optional.of(aJob(job, 2).build()));
  }
}
