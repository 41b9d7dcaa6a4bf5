package io.github.liquidscheduler.runtime.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** One node runs one job after the other, and each is asked about while it waits. */
class StartForecastsTest {

  private static final Optional<ExpectedWork> A_HUNDRED =
      Optional.of(ExpectedWork.ofDuration(Duration.ofSeconds(100)));

  private final Scheduler scheduler =
      LiquidScheduler.builder(
              ClusterTopology.builder()
                  .node(Node.builder("n").gpus(1, GpuModel.of("V100"), Memory.ofGib(16)).build())
                  .build())
          .policy(Policies.fifo())
          .build();
  private final StartForecasts forecasts = new StartForecasts();
  private Instant now = Instant.EPOCH;
  private int jobs;

  @Test
  void whereJobsRunAsLongAsExpectedStartsAreKnownToTheSecond() {
    queue(50, A_HUNDRED, 100);

    assertThat(ask()).contains(between(100, 100, 101));
  }

  @Test
  void whereJobsRunTwiceAsLongTheNextOneStartsSoMuchLater() {
    queue(130, A_HUNDRED, 200);

    assertThat(ask()).contains(between(200, 200, 201));
  }

  @Test
  void whereNothingIsExpectedJobsRunAsLongAsOthersDid() {
    queue(50, Optional.empty(), 70);

    assertThat(ask()).contains(between(70, 70, 71));
  }

  @Test
  void whoRunsAlreadyRunsSoMuchLess() {
    queue(50, Optional.empty(), 70);
    now = now.plusSeconds(30);

    assertThat(ask()).contains(between(40, 40, 41));
  }

  @Test
  void nothingIsSaidBeforeTwentyHaveStarted() {
    queue(19, A_HUNDRED, 100);

    assertThat(ask()).isEmpty();
  }

  @Test
  void onceTwentyHaveStartedSomethingIsSaid() {
    queue(20, A_HUNDRED, 100);

    assertThat(ask()).isPresent();
  }

  @Test
  void whatWasAskedBeforeAnyEndedIsLearnedFrom() {
    for (int job = 0; job < 22; job++) {
      submit(A_HUNDRED);
      ask();
    }
    for (int job = 0; job < 20; job++) {
      now = now.plusSeconds(100);
      on(new ClusterEvent.JobFinished(now, JobId.of("j" + job)));
    }

    assertThat(ask()).contains(between(100, 100, 101));
  }

  @Test
  void nothingIsSaidOfAStartThatIsFurtherThanItLooksAhead() {
    queue(50, A_HUNDRED, 100);

    assertThat(forecasts.forecast(last(), scheduler, now, 0)).isEmpty();
  }

  @Test
  void whoGoesOnFromWhatWasSavedSaysTheSame() {
    queue(50, Optional.empty(), 70);
    submit(A_HUNDRED);
    ask();

    StartForecasts others = StartForecasts.load(forecasts.save());

    assertThat(others.save()).isEqualTo(forecasts.save());
    assertThat(others.forecast(last(), scheduler, now, 100)).isEqualTo(ask()).isPresent();
  }

  /** Has so many jobs run, of which each waits for the one before; one runs and one waits then. */
  private void queue(int count, Optional<ExpectedWork> expected, long seconds) {
    submit(expected);
    for (int job = 0; job < count; job++) {
      submit(expected);
      ask();
      now = now.plusSeconds(seconds);
      on(new ClusterEvent.JobFinished(now, JobId.of("j" + job)));
    }
    submit(expected);
  }

  private void submit(Optional<ExpectedWork> expected) {
    JobSpec.Builder job = JobSpec.builder("j" + jobs++).gpus(1);
    expected.ifPresent(job::expectedWork);
    on(new ClusterEvent.JobSubmitted(now, job.build()));
  }

  private void on(ClusterEvent event) {
    forecasts.decided(event, scheduler.on(event));
  }

  private JobId last() {
    return JobId.of("j" + (jobs - 1));
  }

  private Optional<StartInterval> ask() {
    return forecasts.forecast(last(), scheduler, now, 100);
  }

  private StartInterval between(long earliest, long expected, long latest) {
    return new StartInterval(
        now.plusSeconds(earliest), now.plusSeconds(expected), now.plusSeconds(latest));
  }
}
