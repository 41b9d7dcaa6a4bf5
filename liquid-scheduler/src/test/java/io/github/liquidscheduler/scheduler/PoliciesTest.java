package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static io.github.liquidscheduler.scheduler.Session.aJobOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.Progress;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PoliciesTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "fifo",
        "best-effort-fifo",
        "priority",
        "sjf",
        "saf",
        "srtf",
        "las",
        "fair-share",
        "deadline"
      })
  void aPolicyIsKnownByItsName(String name) {
    assertThat(Policies.named(name).name()).isEqualTo(name);
    assertThat(Policies.names()).contains(name);
  }

  @Test
  void anUnknownNameIsAnsweredWithTheKnownOnes() {
    assertThatThrownBy(() -> Policies.named("lifo"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "a policy must be one of fifo, best-effort-fifo, priority, guaranteed-first, sjf, saf,"
                + " srtf, las, fair-share, deadline, but was 'lifo'");
  }

  @Test
  void theShortestJobGoesFirstAndUnknownOnesLast() {
    Session session = Session.of(Policies.shortestJobFirst(), 4);
    session.submit("running", 4);
    session.submit("unknown", 4);
    session.submit(aJobOf("long", 4, 100));
    session.submit(aJobOf("short", 4, 10));

    assertThat(session.waiting()).containsExactly("short", "long", "unknown");
    assertThat(session.finish("running")).containsExactly("start short");
  }

  @Test
  void shortestJobFirstLeavesRunningJobsAlone() {
    Session session = Session.of(Policies.shortestJobFirst(), 4);
    session.submit(aJobOf("long", 4, 100));

    assertThat(session.submit(aJobOf("short", 4, 10))).isEmpty();
  }

  @Test
  void aShorterRemainingTimePreemptsALongerOne() {
    Session session = Session.of(Policies.shortestRemainingTimeFirst(), 4);
    session.submit(aJobOf("long", 4, 100));

    assertThat(session.at(40).submit(aJobOf("short", 4, 59)))
        .containsExactly("preempt long", "start short");
  }

  @Test
  void whatHasRunCountsLess() {
    Session session = Session.of(Policies.shortestRemainingTimeFirst(), 4);
    session.submit(aJobOf("long", 4, 100));

    assertThat(session.at(40).submit(aJobOf("equal", 4, 60))).isEmpty();
    assertThat(session.submit(aJobOf("shorter", 4, 59)))
        .containsExactly("preempt long", "start shorter");
    assertThat(session.waiting()).containsExactly("long", "equal");
  }

  @Test
  void aReportOfProgressReplacesTheExpectation() {
    Session session = Session.of(Policies.shortestRemainingTimeFirst(), 4);
    session.submit(aJobOf("long", 4, 100));
    session.submit(aJobOf("other", 4, 200));

    assertThat(session.at(40).remaining("long", 201))
        .containsExactly("preempt long", "start other");
    assertThat(session.record("long").remaining()).contains(Duration.ofSeconds(201));
  }

  @Test
  void iterationsAndTheirRateTellTheRemainingTime() {
    Session session = Session.of(Policies.shortestRemainingTimeFirst(), 4);
    session.submit(aJob("long", 4).expectedWork(ExpectedWork.ofIterations(1000)));
    session.at(10).progress("long", Progress.of(100, 10));

    assertThat(session.at(20).submit(aJobOf("longer", 4, 81))).isEmpty();
    assertThat(session.submit(aJobOf("shorter", 4, 79)))
        .containsExactly("preempt long", "start shorter");
    assertThat(session.record("long").remaining()).contains(Duration.ofSeconds(80));
  }

  @Test
  void aKnownRemainingTimePreemptsAnUnknownOne() {
    Session session = Session.of(Policies.shortestRemainingTimeFirst(), 4);
    session.submit("unknown", 4);

    assertThat(session.submit("unknown too", 4)).isEmpty();
    assertThat(session.submit(aJobOf("known", 4, 1_000_000)))
        .containsExactly("preempt unknown", "start known");
  }

  @Test
  void theSmallestAreaIsTheLeastDurationTimesGpus() {
    Session session = Session.of(Policies.smallestAreaFirst(), 4);
    session.submit(aJobOf("busy", 4, 100));
    session.submit("unknown", 1);
    session.submit(aJobOf("wide", 4, 30));
    session.submit(aJobOf("long", 1, 119));
    session.submit(aJobOf("endless", 4, Long.MAX_VALUE / 1_000_000_000 / 2));

    assertThat(session.waiting()).containsExactly("long", "wide", "endless", "unknown");
    assertThat(session.finish("busy")).containsExactly("start long", "start unknown");
  }

  @Test
  void aJobThatOutrunsItsExpectationIsNotStopped() {
    Session session = Session.of(Policies.shortestRemainingTimeFirst(), 4);
    session.submit(aJobOf("late", 4, 10));

    assertThat(session.at(1000).submit(aJobOf("short", 4, 1))).isEmpty();
  }
}
