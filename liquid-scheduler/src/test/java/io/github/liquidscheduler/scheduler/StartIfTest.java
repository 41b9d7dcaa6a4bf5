package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static io.github.liquidscheduler.scheduler.Session.aJobOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.prediction.RunTimeScenario;
import io.github.liquidscheduler.scheduler.policy.Policies;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Scenarios of run times are played on a copy. */
class StartIfTest {

  private static final RunTimeScenario TWICE =
      (job, ran) ->
          job.expectedWork()
              .flatMap(ExpectedWork::duration)
              .map(expected -> expected.multipliedBy(2));

  private final Session session = Session.of(Policies.fifo(), 4);

  private Optional<Long> startIf(String job, RunTimeScenario scenario) {
    return session.scheduler.startIf(JobId.of(job), scenario, 10).map(Instant::getEpochSecond);
  }

  @Test
  void allJobsTakeTheRunTimesOfTheScenario() {
    session.submit(aJobOf("a", 4, 100));
    session.submit(aJobOf("b", 4, 50));
    session.submit(aJobOf("c", 4, 50));

    assertThat(startIf("b", TWICE)).contains(200L);
    assertThat(startIf("c", TWICE)).contains(300L);
  }

  @Test
  void aJobThatHasOutlivedItsExpectationRunsOn() {
    session.submit(aJobOf("a", 4, 100));
    session.submit(aJobOf("b", 4, 50));
    session.at(150).pass();

    assertThat(startIf("b", TWICE)).contains(200L);
  }

  @Test
  void aJobThatHasRunLongerThanInTheScenarioEndsAtOnce() {
    session.submit(aJobOf("a", 4, 100));
    session.submit(aJobOf("b", 4, 50));
    session.at(250).pass();

    assertThat(startIf("b", TWICE)).contains(250L);
  }

  @Test
  void aScenarioKnowsHowLongAJobHasRun() {
    session.submit(aJob("a", 4));
    session.submit(aJob("b", 4));
    session.at(30).pass();

    assertThat(startIf("b", (job, ran) -> Optional.of(ran.multipliedBy(3)))).contains(90L);
  }

  @Test
  void aJobThatReportedItsProgressEndsWhenThatSays() {
    session.submit(aJobOf("a", 4, 100));
    session.submit(aJobOf("b", 4, 50));
    session.submit(aJobOf("c", 4, 50));
    session.at(60).remaining("a", 10);

    assertThat(startIf("b", TWICE)).contains(70L);
    assertThat(startIf("c", TWICE)).contains(170L);
  }

  @Test
  void aJobAtHalfItsSizeTakesTwiceAsLong() {
    session.submit(aJob("h", 2));
    session.submit(aJobOf("a", 4, 100).parallelism(Parallelism.between(2, 4, 4)));
    session.submit(aJobOf("b", 4, 50));

    assertThat(startIf("b", (job, ran) -> Optional.of(Duration.ofSeconds(70)))).contains(140L);
  }

  @Test
  void whoWaitsForAJobThatRunsOnDoesNotStart() {
    session.submit(aJob("a", 4));
    session.submit(aJobOf("b", 4, 50));

    assertThat(startIf("b", TWICE)).isEmpty();
  }

  @Test
  void whoDoesNotStartWithinTheEventsDoesNotStart() {
    session.submit(aJobOf("a", 4, 100));
    session.submit(aJobOf("b", 4, 50));

    assertThat(session.scheduler.startIf(JobId.of("b"), TWICE, 0)).isEmpty();
    assertThat(session.scheduler.startIf(JobId.of("b"), TWICE, 1)).isPresent();
  }
}
