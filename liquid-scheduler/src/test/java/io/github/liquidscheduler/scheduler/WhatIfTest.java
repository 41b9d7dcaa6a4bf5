package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static io.github.liquidscheduler.scheduler.Session.aJobOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Forecast;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What would happen is found out on a copy. */
class WhatIfTest {

  private final Session session = Session.of(Policies.fifo(), 4);

  private static Instant at(long second) {
    return Instant.ofEpochSecond(second);
  }

  @Test
  void jobsEndWhenTheyAreExpectedToAndOthersStartThen() {
    session.submit(aJobOf("a", 4, 100));
    session.submit(aJobOf("b", 4, 50));
    session.submit(aJobOf("c", 4, 50));

    Forecast ahead = session.scheduler.whatIf(List.of(), 10);

    assertThat(ahead.firstStart(JobId.of("b"))).contains(at(100));
    assertThat(ahead.firstStart(JobId.of("c"))).contains(at(150));
    assertThat(ahead.isCutShort()).isFalse();
  }

  @Test
  void anEventIsTriedOutAndNothingChanges() {
    session.submit(aJobOf("a", 4, 100));
    session.submit(aJobOf("b", 2, 50));
    SchedulerSnapshot before = session.scheduler.snapshot();

    Forecast ahead =
        session.scheduler.whatIf(List.of(new ClusterEvent.JobCancelled(at(7), JobId.of("a"))), 0);

    assertThat(ahead.firstStart(JobId.of("b"))).contains(at(7));
    assertThat(session.scheduler.snapshot()).isEqualTo(before);
  }

  @Test
  void aStepIsAWholeTurnAlsoWhereEventsAreShort() {
    Session one =
        new Session(
            LiquidScheduler.builder(Session.cluster(4))
                .policy(Policies.fifo())
                .startsPerEvent(1)
                .build());
    one.submit(aJobOf("a", 4, 100));
    one.submit(aJobOf("b", 2, 50));
    one.submit(aJobOf("c", 2, 50));

    Forecast ahead = one.scheduler.whatIf(List.of(), 1);

    assertThat(ahead.firstStart(JobId.of("b"))).contains(at(100));
    assertThat(ahead.firstStart(JobId.of("c"))).contains(at(100));
  }

  @Test
  void aJobOfWhichNoEndIsExpectedRunsOn() {
    session.submit(aJob("a", 4));
    session.submit(aJobOf("b", 4, 50));

    assertThat(session.scheduler.whatIf(List.of(), 10).steps()).isEmpty();
  }

  @Test
  void aForecastIsCutShortWhereMoreIsExpected() {
    session.submit(aJobOf("a", 4, 100));
    session.submit(aJobOf("b", 4, 50));

    Forecast ahead = session.scheduler.whatIf(List.of(), 1);

    assertThat(ahead.steps()).hasSize(1);
    assertThat(ahead.isCutShort()).isTrue();
  }

  @Test
  void anEventThatCannotBeIsRefused() {
    assertThatThrownBy(
            () ->
                session.scheduler.whatIf(
                    List.of(new ClusterEvent.NodeLost(at(1), NodeId.of("none"))), 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("none");
  }
}
