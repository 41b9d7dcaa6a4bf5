package io.github.liquidscheduler.runtime;

import static io.github.liquidscheduler.runtime.LoopFixture.end;
import static io.github.liquidscheduler.runtime.LoopFixture.scheduler;
import static io.github.liquidscheduler.runtime.LoopFixture.submission;
import static io.github.liquidscheduler.runtime.ManualTime.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.PreemptionRules;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** A loop that gives starts a minute. */
class StartTimeoutsTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final LoopFixture fixture = new LoopFixture();
  private final ManualTime time = fixture.time;
  private final Recorder recorder = fixture.recorder;

  @Test
  void aStartThatNobodyReportsFailsAfterAMinute() {
    SchedulerLoop loop = started(told());
    loop.offer(submission("a", 4));
    time.pass(MINUTE.minusSeconds(1));
    assertThat(failures()).isEmpty();

    time.pass(Duration.ofSeconds(1));

    assertThat(failures()).singleElement().satisfies(failure -> assertNotStarted(failure, NOON));
  }

  @Test
  void itIsTriedAgainAndHasAnotherMinute() {
    SchedulerLoop loop = started(told());
    loop.offer(submission("a", 4));
    time.pass(MINUTE.multipliedBy(10));

    long starts = recorder.handled.stream().filter(Decision.Start.class::isInstance).count();

    assertThat(starts).isGreaterThan(1).isBetween((long) failures().size(), failures().size() + 1L);
  }

  @Test
  void aStartThatIsReportedInTimeIsLeftAlone() {
    SchedulerLoop loop = started(told());
    loop.offer(submission("a", 4));
    time.pass(MINUTE.minusSeconds(1));
    loop.offer(begun("a"));
    time.pass(MINUTE.multipliedBy(3));

    assertThat(failures()).isEmpty();
    assertThat(time.set()).isEmpty();
  }

  @Test
  void aReportThatComesAtTheLastInstantCounts() {
    SchedulerLoop loop = started(told());
    loop.offer(submission("a", 4));
    time.settle();
    time.set(NOON.plus(MINUTE));
    loop.offer(begun("a"));
    time.pass(MINUTE);

    assertThat(failures()).isEmpty();
  }

  @Test
  void aJobThatEndsBeforeIsForgotten() {
    SchedulerLoop loop = started(told());
    loop.offer(submission("a", 4));
    time.pass(Duration.ofSeconds(1));
    loop.offer(end("a"));
    time.pass(MINUTE.multipliedBy(3));

    assertThat(failures()).isEmpty();
  }

  @Test
  void aLoopThatGoesOnFromASnapshotWatchesTheStartsOfBefore() {
    LiquidScheduler before = told().build();
    before.on(submission("a", 4).apply(NOON));
    started(before);
    time.pass(MINUTE);

    assertThat(failures()).singleElement().satisfies(failure -> assertNotStarted(failure, NOON));
  }

  @Test
  void aStartThatWaitsForOthersIsHandedOutOnceItsJobIsLaunchingAndHasItsMinuteFromThen() {
    LiquidScheduler cluster =
        told()
            .policy(Policies.priority())
            .preemption(PreemptionRules.NONE.gracePeriod(Duration.ofSeconds(30)))
            .build();
    SchedulerLoop loop = started(cluster);
    loop.offer(submission("a", 4));
    loop.offer(begun("a"));
    JobSpec urgent = JobSpec.builder("b").gpus(4).priority(1).build();
    loop.offer(now -> new ClusterEvent.JobSubmitted(now, urgent));
    time.pass(Duration.ofSeconds(31));

    assertThat(recorder.handled.getLast()).isInstanceOf(Decision.Start.class);
    assertThat(((Decision.Start) recorder.handled.getLast()).job()).isEqualTo(urgent.id());
    time.pass(Duration.ofSeconds(50));
    assertThat(failures()).isEmpty();
    time.pass(Duration.ofSeconds(50));
    assertThat(failures()).hasSize(1);
  }

  @Test
  void withoutATimeoutStartsMayTakeForEver() {
    SchedulerLoop loop = fixture.loop(told().build()).start();
    loop.offer(submission("a", 4));
    time.pass(Duration.ofDays(1));

    assertThat(failures()).isEmpty();
  }

  @Test
  void aTimeoutMustBePositive() {
    assertThatThrownBy(() -> fixture.loop(told().build()).startTimeout(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the time in which a start is reported must be positive, but was PT0S");
  }

  private static void assertNotStarted(ClusterEvent.JobFailed failure, Instant launch) {
    assertThat(failure.at()).isEqualTo(launch.plus(MINUTE));
    assertThat(failure.failure()).isEqualTo(Failure.NOT_STARTED);
    assertThat(failure.retry().again()).isTrue();
    assertThat(failure.retry().avoiding()).hasSize(1);
  }

  private List<ClusterEvent.JobFailed> failures() {
    return recorder.events().stream()
        .filter(ClusterEvent.JobFailed.class::isInstance)
        .map(ClusterEvent.JobFailed.class::cast)
        .toList();
  }

  private static Function<Instant, ClusterEvent> begun(String job) {
    return now -> new ClusterEvent.JobStarted(now, JobId.of(job));
  }

  private static LiquidScheduler.Builder told() {
    return scheduler().startsReported();
  }

  private SchedulerLoop started(LiquidScheduler.Builder scheduler) {
    return started(scheduler.build());
  }

  private SchedulerLoop started(LiquidScheduler scheduler) {
    return fixture.loop(scheduler).startTimeout(MINUTE).start();
  }
}
