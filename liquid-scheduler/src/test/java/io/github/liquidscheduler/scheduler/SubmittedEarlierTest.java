package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Jobs that have waited before the scheduler is told of them. */
class SubmittedEarlierTest {

  private final Session session = Session.of(Policies.fifo(), 4);

  private static Instant second(long second) {
    return Instant.ofEpochSecond(second);
  }

  @Test
  void itsAgeCountsFromThenAlsoAfterARestart() {
    session.at(100).submit("first", 4);
    session.submit(aJob("old", 4).submittedAt(second(40)));

    for (Session each : List.of(session, session.restored())) {
      assertThat(each.scheduler.status(JobId.of("old")))
          .contains(new JobStatus.Waiting(second(40)));
      assertThat(each.record("old").submittedAt()).isEqualTo(second(40));
    }
  }

  @Test
  void onceItRunsItsRunCountsFromItsStart() {
    session.at(100).submit(aJob("old", 4).submittedAt(second(40)));

    assertThat(session.entry("old").at(second(103)).executed()).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void capacityIsHeldForItAtOnceIfItHasWaitedLongEnough() {
    Session holding =
        new Session(
            LiquidScheduler.builder(Session.cluster(4))
                .policy(Policies.fifo())
                .backfill(Backfill.easy().holdingAfter(Duration.ofSeconds(50), 0))
                .build());
    holding.at(100).submit(aJob("first", 3));
    Session young = holding.copy();
    young.at(100).submit(aJob("wide", 4));
    holding.submit(aJob("wide", 4).submittedAt(second(40)));

    assertThat(young.submit(aJob("short", 1))).containsExactly("start short");
    assertThat(holding.submit(aJob("short", 1))).isEmpty();
  }

  @Test
  void itWasNotSubmittedLaterThanItIsToldNorBeforeAllTime() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> session.at(100).submit(aJob("j", 1).submittedAt(second(101))))
        .withMessage(
            "a job must have been submitted from 1970 on and by 1970-01-01T00:01:40Z, when it is"
                + " told, but was at 1970-01-01T00:01:41Z, for job 'j'");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> session.submit(aJob("j", 1).submittedAt(second(-1))));
    assertThat(session.submit(aJob("j", 1).submittedAt(second(100)))).containsExactly("start j");
  }
}
