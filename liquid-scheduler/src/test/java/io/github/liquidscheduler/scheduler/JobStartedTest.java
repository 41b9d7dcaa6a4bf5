package io.github.liquidscheduler.scheduler;

import static io.github.liquidscheduler.scheduler.Session.aJob;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduler.policy.SizingPolicy;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.Forecast;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Retry;
import io.github.liquidscheduler.scheduling.StaleEventException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Starts are reported: on a node of four GPUs "a" is started at 0, and begins some time later. */
class JobStartedTest {

  private static final Duration GRACE = Duration.ofSeconds(30);

  private final Session session = new Session(builder().build());

  @Test
  void aStartedJobIsLaunchingUntilItIsReportedToHaveBegun() {
    session.submit("a", 4);
    assertThat(status("a")).isEqualTo(launchingSince(0));
    assertThat(session.running()).containsExactly("a");

    started(20, "a");

    assertThat(status("a")).isEqualTo(runningSince(20));
  }

  @Test
  void nothingElseGetsItsGpusMeanwhile() {
    session.submit("a", 4);

    assertThat(session.at(5).submit("b", 1)).isEmpty();
  }

  @Test
  void itsRunTimeCountsFromItsBeginning() {
    session.submit("a", 4);
    started(20, "a");
    session.at(50).submit(aJob("high", 4).priority(1));

    assertThat(session.record("a").executed()).isEqualTo(Duration.ofSeconds(30));
    assertThat(session.record("a").attained()).isEqualTo(Duration.ofMinutes(2));
  }

  @Test
  void aJobThatIsStoppedWhileItIsLaunchedHasRunForNoTimeButHasItsGracePeriod() {
    session.submit("a", 4);
    session.at(20).submit(aJob("high", 4).priority(1));

    assertThat(status("a"))
        .isInstanceOfSatisfying(
            JobStatus.Stopping.class,
            stopping -> assertThat(stopping.until()).isEqualTo(Instant.ofEpochSecond(50)));
    assertThat(session.record("a").executed()).isZero();
    assertThat(session.record("a").preemptions()).isEqualTo(1);
  }

  @Test
  void aJobForWhichOthersLeaveIsLaunchedOnceTheyHaveLeft() {
    session.submit("a", 4);
    session.at(20).submit(aJob("high", 4).priority(1));
    assertThat(status("high")).isInstanceOf(JobStatus.Starting.class);

    session.at(30).stop("a");
    assertThat(status("high")).isInstanceOf(JobStatus.Launching.class);

    started(33, "high");
    assertThat(status("high")).isInstanceOf(JobStatus.Running.class);
  }

  @Test
  void itMayBeginInTheEventInWhichTheGracePeriodOfTheOthersEnds() {
    session.submit("a", 4);
    session.at(20).submit(aJob("high", 4).priority(1));

    started(50, "high");

    assertThat(status("high")).isInstanceOf(JobStatus.Running.class);
  }

  @Test
  void aStartThatDoesNotHappenLetsTheJobWaitAndCountsAsNoRun() {
    session.submit("a", 4);

    session.at(60).fail("a", Failure.NOT_STARTED, Retry.after(Duration.ofSeconds(40)));

    assertThat(status("a")).isEqualTo(new JobStatus.Waiting(Instant.ofEpochSecond(60)));
    assertThat(session.record("a").executed()).isZero();
    assertThat(session.at(100).pass()).containsExactly("start a");
  }

  @Test
  void aJobThatEndsBeforeItIsReportedHasRunSinceItsLaunch() {
    session.submit("a", 4);

    session.at(3).fail("a", Failure.CRASHED, Retry.now());
    assertThat(session.record("a").executed()).isEqualTo(Duration.ofSeconds(3));
    session.at(20).pass();
    session.at(21).finish("a");

    assertThat(status("a")).isEqualTo(new JobStatus.Ended(JobStatus.Outcome.FINISHED));
  }

  @Test
  void aJobThatReportsProgressHasBegunAtItsLaunch() {
    session.submit("a", 4);

    session.at(5).remaining("a", 60);

    assertThat(status("a")).isEqualTo(runningSince(0));
  }

  @Test
  void aReportThatComesTwiceOrTooLateIsStale() {
    session.submit("a", 4);
    started(5, "a");
    assertThatThrownBy(() -> started(6, "a"))
        .isInstanceOf(StaleEventException.class)
        .hasMessage("only a launching job can begin, but job 'a' runs");

    session.at(7).fail("a", Failure.NOT_STARTED, Retry.after(Duration.ofHours(1)));
    assertThatThrownBy(() -> started(8, "a")).isInstanceOf(StaleEventException.class);
  }

  @Test
  void aReportOfAStartThatTimedOutIsStale() {
    session.submit("a", 4);
    session.at(60).fail("a", Failure.NOT_STARTED, Retry.after(Duration.ofHours(1)));

    assertThatThrownBy(() -> started(61, "a")).isInstanceOf(StaleEventException.class);
    assertThatThrownBy(() -> started(61, "x")).isNotInstanceOf(StaleEventException.class);
  }

  @Test
  void aSchedulerToWhichStartsAreNotReportedRefusesThem() {
    Session plain = Session.of(Policies.fifo(), 4);
    plain.submit("a", 4);

    assertThatThrownBy(() -> plain.on(new ClusterEvent.JobStarted(plain.now(), JobId.of("a"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("startsReported()");
  }

  @Test
  void aLaunchingJobIsExpectedToEndAsIfItHadBegunAndLaterOnceItBegins() {
    session.submit(aJob("a", 4).expectedWork(ExpectedWork.ofDuration(Duration.ofSeconds(100))));
    assertThat(end("a", 20)).isEqualTo(Instant.ofEpochSecond(100));

    started(30, "a");

    assertThat(end("a", 30)).isEqualTo(Instant.ofEpochSecond(130));
  }

  @Test
  void anElasticJobGrowsOnlyOnceItHasBegun() {
    Session elastic =
        new Session(
            builder().elasticity(Elasticity.by(SizingPolicy.marginalGain()).build()).build());
    elastic.submit("b", 2);
    elastic.submit(aJob("a", 2).parallelism(Parallelism.between(1, 2, 4)));
    elastic.at(5).finish("b");
    assertThat(elastic.pass()).isEmpty();

    elastic.at(400);
    assertThat(elastic.on(new ClusterEvent.JobStarted(elastic.now(), JobId.of("a")))).isEmpty();
    assertThat(elastic.at(1000).pass()).containsExactly("resize a to 4");
  }

  @Test
  void aDrainingNodeKeepsALaunchingJobAndALostNodeDoesNot() {
    session.submit("a", 4);
    assertThat(session.at(5).drain("n0")).isEmpty();
    assertThat(session.at(6).lose("n0")).containsExactly("preempt a");
  }

  @Test
  void aCancelledLaunchFreesItsGpus() {
    session.submit("a", 4);
    session.at(5).submit("b", 4);

    assertThat(session.at(6).cancel("a")).containsExactly("start b");
  }

  @Test
  void aLaunchSurvivesARestart() {
    session.submit("a", 4);
    Session restored = new Session(builder().restore(session.scheduler.snapshot()));

    assertThat(restored.scheduler.status(JobId.of("a"))).contains(launchingSince(0));
    restored.at(9).on(new ClusterEvent.JobStarted(Instant.ofEpochSecond(9), JobId.of("a")));
    assertThat(restored.scheduler.status(JobId.of("a"))).contains(runningSince(9));
  }

  @Test
  void inALookAheadJobsBeginAtOnce() {
    session.submit(aJob("a", 4).expectedWork(ExpectedWork.ofDuration(Duration.ofSeconds(100))));
    session.at(20).pass();

    Forecast ahead = session.scheduler.whatIf(List.of(), 2);

    assertThat(ahead.steps().stream().map(Forecast.Step::event))
        .containsExactly(
            new ClusterEvent.JobStarted(Instant.ofEpochSecond(20), JobId.of("a")),
            new ClusterEvent.JobFinished(Instant.ofEpochSecond(120), JobId.of("a")));
  }

  private void started(long second, String job) {
    session.at(second).on(new ClusterEvent.JobStarted(session.now(), JobId.of(job)));
  }

  private JobStatus status(String job) {
    return session.scheduler.status(JobId.of(job)).orElseThrow();
  }

  private Instant end(String job, long second) {
    return session.entry(job).expectedEnd(Instant.ofEpochSecond(second)).orElseThrow();
  }

  private JobStatus launchingSince(long second) {
    return new JobStatus.Launching(
        Instant.ofEpochSecond(second), session.entry("a").placement().orElseThrow());
  }

  private JobStatus runningSince(long second) {
    return new JobStatus.Running(
        Instant.ofEpochSecond(second), session.entry("a").placement().orElseThrow());
  }

  private static LiquidScheduler.Builder builder() {
    return LiquidScheduler.builder(Session.cluster(4))
        .policy(Policies.priority())
        .preemption(PreemptionRules.NONE.gracePeriod(GRACE))
        .startsReported();
  }
}
