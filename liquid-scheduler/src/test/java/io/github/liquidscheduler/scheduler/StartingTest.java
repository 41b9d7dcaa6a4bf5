package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static io.github.liquidscheduler.scheduler.Session.aJobOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.ResizeCost;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.ResizeStep;
import io.github.liquidscheduler.scheduling.Retry;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import io.github.liquidscheduler.scheduling.StaleEventException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs "s" and "t" of two GPUs each are stopped for "high", which needs all four. */
class StartingTest {

  private static final PreemptionRules GRACE =
      PreemptionRules.NONE.gracePeriod(Duration.ofSeconds(30));

  private final Session session = new Session(builder().build());

  @BeforeEach
  void stopTwoForAThird() {
    session.submit("s", 2);
    session.submit("t", 2);
    session.at(5).submit(aJob("high", 4).priority(1));
  }

  @Test
  void aJobThatWaitsForOthersToLeaveIsStarting() {
    assertThat(session.scheduler.status(JobId.of("high"))).contains(starting("s", "t"));
  }

  @Test
  void itRunsInTheEventInWhichTheLastOfThemHasStopped() {
    session.at(7).stop("s");
    assertThat(session.scheduler.status(JobId.of("high"))).contains(starting("t"));

    session.at(9).stop("t");

    assertThat(session.scheduler.status(JobId.of("high"))).contains(runningSince(9));
  }

  @Test
  void itRunsOnceTheirGracePeriodIsOver() {
    session.at(34).pass();
    assertThat(session.scheduler.status(JobId.of("high"))).contains(starting("s", "t"));

    session.at(35).pass();

    assertThat(session.scheduler.status(JobId.of("high"))).contains(runningSince(35));
  }

  @Test
  void whoFinishesOrFailsHasLeftToo() {
    session.at(7).finish("s");
    session.at(8).fail("t", Failure.CRASHED, Retry.no());

    assertThat(session.scheduler.status(JobId.of("high"))).contains(runningSince(8));
  }

  @Test
  void whoWaitsForOthersHasNothingToStopIfItIsPreempted() {
    session.at(7).stop("s");

    session.at(8).submit(aJob("higher", 4).priority(2));

    assertThat(session.last())
        .containsExactly(
            new Decision.Preempt(
                JobId.of("high"), new Reason.PreemptedByPriority("priority", JobId.of("higher"))),
            new Decision.Start(
                JobId.of("higher"),
                Session.place("higher on n0 0 1 2 3"),
                new Reason.Scheduled("priority", 0),
                List.of(JobId.of("t"))));
    assertThat(session.scheduler.status(JobId.of("high")))
        .contains(new JobStatus.Waiting(Instant.ofEpochSecond(8)));
    assertThat(session.waiting()).containsExactly("high", "s", "t");
  }

  @Test
  void aStartThatWasTakenBackIsNeitherAPreemptionNorARun() {
    session.at(8).submit(aJob("higher", 4).priority(2));

    assertThat(session.record("high").preemptions()).isZero();
    assertThat(session.record("high").executed()).isZero();
    assertThat(session.entry("high").history().failures()).isZero();
  }

  @Test
  void afterACancelledStartItsVictimsGoOnLeaving() {
    assertThat(session.at(7).cancel("high")).isEmpty();
    session.submit(aJob("next", 2).priority(1));

    assertThat(session.last())
        .extracting(decision -> ((Decision.Start) decision).after())
        .containsExactly(List.of(JobId.of("s")));
  }

  @Test
  void itsRunCountsFromThenOn() {
    session.at(35).pass();

    assertThat(session.entry("high").at(Instant.ofEpochSecond(36)).executed())
        .isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void whoHasNotBegunCannotFinishOrReport() {
    assertThatThrownBy(() -> session.at(34).finish("high"))
        .isInstanceOf(IllegalArgumentException.class)
        .isNotInstanceOf(StaleEventException.class)
        .hasMessage("only a running job can finish, but job 'high' waits for [s, t] to leave");
    assertThatThrownBy(() -> session.remaining("high", 5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("only a running job can report progress");
  }

  @Test
  void theEndOfTheGracePeriodMayFirstBeSeenInTheJobsOwnReport() {
    assertThat(session.at(35).finish("high")).containsExactly("start s", "start t");
  }

  @Test
  void aStartMayFailBeforeItBegins() {
    session.at(6).fail("high", Failure.NOT_STARTED, Retry.after(Duration.ofSeconds(60)));

    assertThat(session.scheduler.status(JobId.of("high")))
        .contains(new JobStatus.Waiting(Instant.ofEpochSecond(6)));
    assertThat(session.entry("high").history().failures()).isOne();
  }

  @Test
  void aRestoredOrCopiedSchedulerKnowsWhoItWaitsFor() {
    for (Session each : List.of(restored(), session.copy(), session)) {
      each.at(7).stop("s");
      assertThat(each.scheduler.status(JobId.of("high"))).contains(starting("t"));
      each.at(35).pass();
      assertThat(each.scheduler.status(JobId.of("high"))).contains(runningSince(35));
    }
  }

  @Test
  void aSnapshotInWhichNobodyLeavesForAStartingJobIsRefused() {
    SchedulerSnapshot snapshot = session.scheduler.snapshot();
    Map<String, Object> jobs = new LinkedHashMap<>(snapshot.section("jobs").values());
    SnapshotSection high =
        (SnapshotSection) ((List<?>) Objects.requireNonNull(jobs.get("running"))).getFirst();
    Map<String, Object> values = new LinkedHashMap<>(high.values());
    values.put("after", List.of("nobody"));
    jobs.put("running", List.of(new SnapshotSection(values)));
    Map<String, SnapshotSection> sections = new LinkedHashMap<>(snapshot.sections());
    sections.put("jobs", new SnapshotSection(jobs));
    SchedulerSnapshot wrong = new SchedulerSnapshot(snapshot.version(), snapshot.now(), sections);

    assertThatThrownBy(() -> builder().restore(wrong))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(
            "a job must wait for jobs that are leaving, but was nobody, for job 'high'");
  }

  @Test
  void aLookAheadEndsAStartingJobAfterItsWholeRun() {
    session.at(6).submit(aJobOf("short", 4, 10).priority(2));
    session.submit(aJob("last", 4).priority(1));

    assertThat(session.scheduler.whatIf(List.of(), 20).firstStart(JobId.of("high")))
        .contains(Instant.ofEpochSecond(45));
  }

  @Test
  void aLookAheadTakesWhoShrinksForAStartingJobAsSmallerOnceThatEnds() {
    Session elastic = elastic();
    assertThat(elastic.at(2).submit(aJobOf("w", 2, 10)))
        .containsExactly("resize e to 2", "start w");
    elastic.submit(aJob("last", 2));

    assertThat(elastic.scheduler.whatIf(List.of(), 20).firstStart(JobId.of("last")))
        .contains(Instant.ofEpochSecond(12));
  }

  @Test
  void aJobRunsOnceWhoShrinksForItHasSwitched() {
    Session elastic = elastic();
    elastic.at(2).submit("w", 2);
    assertThat(elastic.scheduler.status(JobId.of("w")))
        .hasValueSatisfying(status -> assertThat(status).isInstanceOf(JobStatus.Starting.class));

    elastic.at(3).resizeReported("e", ResizeStep.SWITCHED);

    assertThat(elastic.scheduler.status(JobId.of("w")))
        .hasValueSatisfying(status -> assertThat(status).isInstanceOf(JobStatus.Running.class));
  }

  /** Returns four GPUs on which an elastic job has grown to all of them in the first second. */
  private static Session elastic() {
    Session session =
        new Session(
            LiquidScheduler.builder(Session.cluster(4))
                .policy(Policies.bestEffortFifo())
                .elasticity(
                    Elasticity.by(SizingPolicy.marginalGain())
                        .cost(ResizeCost.NONE)
                        .worthwhile(0)
                        .coolDown(Duration.ofSeconds(1))
                        .build())
                .build());
    session.submit(aJob("e", 1).parallelism(Parallelism.between(1, 1, 4)));
    session.at(1).pass();
    session.resizeReported("e", ResizeStep.SWITCHED);
    return session;
  }

  private Session restored() {
    return new Session(builder().restore(session.scheduler.snapshot()));
  }

  private static LiquidScheduler.Builder builder() {
    return LiquidScheduler.builder(Session.cluster(4))
        .policy(Policies.priority())
        .preemption(GRACE);
  }

  private static JobStatus starting(String... after) {
    return new JobStatus.Starting(
        Instant.ofEpochSecond(5),
        Session.place("high on n0 0 1 2 3"),
        Stream.of(after).map(JobId::of).toList());
  }

  private static JobStatus runningSince(long second) {
    return new JobStatus.Running(
        Instant.ofEpochSecond(second), Session.place("high on n0 0 1 2 3"));
  }
}
