package io.github.liquidscheduler.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Elasticity.LateJobs;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Promised jobs start without a plan; plans place the others. */
class DeadlineBatchTest {

  private static Session session() {
    return new Session(
        LiquidScheduler.builder(Session.cluster(4))
            .policy(Policies.bestEffortFifo())
            .batch(BatchWindow.of(Duration.ofSeconds(60)))
            .elasticity(
                Elasticity.by(SizingPolicy.marginalGain()).deadlines(LateJobs.REFUSE).build())
            .build());
  }

  @Test
  void aPromisedJobDoesNotWaitForAPlan() {
    Session session = session();
    session.submit(Session.aJobOf("bulk", 4, 100));

    assertThat(session.at(10).submit(Session.aJobOf("a", 2, 50).deadline(DeadlineWorld.at(70))))
        .containsExactly("start a");
  }

  @Test
  void aPlanStartsNobodyOnWhatAPromisedJobHolds() {
    Session session = session();
    session.submit(Session.aJobOf("bulk", 4, 100));
    assertThat(session.at(60).pass()).containsExactly("plan [bulk]");
    session.at(61).submit(Session.aJobOf("a", 2, 50).deadline(DeadlineWorld.at(120)));

    assertThat(session.at(62).plan(1, "bulk on n0 0 1 2 3")).isEmpty();
    assertThat(session.at(111).finish("a")).isEmpty();
  }

  @Test
  void aPlannedJobGivesWayToAPromise() {
    Session session = session();
    session.submit(Session.aJobOf("bulk", 4, 1000));
    session.at(60).pass();
    session.at(62).plan(1, "bulk on n0 0 1 2 3");

    assertThat(session.at(70).submit(Session.aJobOf("a", 2, 50).deadline(DeadlineWorld.at(125))))
        .containsExactly("preempt bulk", "start a");
    assertThat(session.at(80).pass()).isEmpty();
  }
}
