package io.github.liquidscheduler.scheduler.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StartForecastsTest {

  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  private static final Duration HOUR = Duration.ofHours(1);

  private final StartForecasts forecasts = new StartForecasts();
  private Instant now = NOON;
  private int jobs;

  @Test
  void nothingIsPromisedBeforeEnoughJobsHaveStarted() {
    for (int job = 0; job < 19; job++) {
      assertThat(waited(HOUR, 1)).isEmpty();
    }

    waited(HOUR, 1);

    assertThat(waited(HOUR, 1)).isPresent();
  }

  @Test
  void jobsThatAlwaysStartedWhenExpectedAreExpectedToTheSecond() {
    learn(30, job -> 1);

    StartInterval interval = ask("a", HOUR).orElseThrow();

    assertThat(interval.earliest()).isEqualTo(now.plus(HOUR));
    assertThat(interval.latest()).isEqualTo(now.plus(HOUR).plusSeconds(1));
  }

  @Test
  void jobsThatStartedLaterThanExpectedAreExpectedLater() {
    learn(100, job -> 2);

    StartInterval interval = ask("a", HOUR).orElseThrow();

    assertThat(interval.earliest()).isBetween(now.plus(HOUR).plus(HOUR), now.plusSeconds(7_300));
    assertThat(interval.expected()).isEqualTo(now.plus(HOUR));
  }

  @Test
  void shortWaitsLearnFromShortOnes() {
    learn(200, job -> 1);
    for (int job = 0; job < 200; job++) {
      waited(Duration.ofMinutes(1), 10);
    }

    assertThat(ask("long", HOUR).orElseThrow().latest()).isBefore(now.plus(HOUR).plusSeconds(2));
    assertThat(ask("short", Duration.ofMinutes(1)).orElseThrow().latest())
        .isAfter(now.plus(Duration.ofMinutes(9)));
  }

  @Test
  void whoStillWaitsCountsOnceItHasWaitedLongerThanExpected() {
    learn(30, job -> 1);
    for (int job = 0; job < 30; job++) {
      ask("late" + job, HOUR);
    }
    now = now.plus(HOUR.multipliedBy(3));

    assertThat(ask("a", HOUR).orElseThrow().latest()).isAfter(now.plus(HOUR.multipliedBy(2)));
  }

  @Test
  void aCancelledJobTeachesNothing() {
    learn(30, job -> 1);
    for (int job = 0; job < 30; job++) {
      ask("late" + job, HOUR);
      forecasts.cancelled(JobId.of("late" + job));
    }
    now = now.plus(HOUR.multipliedBy(3));

    assertThat(ask("a", HOUR).orElseThrow().latest()).isEqualTo(now.plus(HOUR).plusSeconds(1));
  }

  @Test
  void anIntervalEndsNotBeforeItBegins() {
    assertThatThrownBy(() -> new StartInterval(NOON, NOON, NOON.minusSeconds(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must not end before it begins");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void nineOfTenIntervalsHoldWhereLongWaitsAreLessCertain(long seed) {
    StartForecastsTest each = new StartForecastsTest();
    Random draw = new Random(seed);
    int held = 0;
    int told = 0;
    for (int job = 0; job < 1_000; job++) {
      Duration expected = Duration.ofSeconds(60 + draw.nextInt(7_200));
      double ratio = Math.exp(draw.nextGaussian() * (1 + expected.toSeconds() / 7_200.0));
      Instant asked = each.now;
      Optional<StartInterval> interval = each.waited(expected, ratio);
      if (interval.isPresent()) {
        told++;
        held += interval.get().contains(asked.plusMillis(millis(expected, ratio))) ? 1 : 0;
      }
    }
    assertThat((double) held / told).isBetween(.86, .94);
  }

  private static long millis(Duration expected, double ratio) {
    return Math.round(expected.toMillis() * ratio);
  }

  private void learn(int count, IntToDoubleFunction ratio) {
    for (int job = 0; job < count; job++) {
      waited(HOUR, ratio.applyAsDouble(job));
    }
  }

  /** Lets a job wait for {@code ratio} times as long as expected, and start. */
  private Optional<StartInterval> waited(Duration expected, double ratio) {
    String job = "j" + jobs++;
    Optional<StartInterval> interval = ask(job, expected);
    now = now.plusMillis(millis(expected, ratio));
    forecasts.decided(now, List.of(start(JobId.of(job))));
    return interval;
  }

  private static Decision start(JobId job) {
    TaskPlacement task =
        new TaskPlacement(
            new TaskId("worker", 0), NodeId.of("n"), List.of(0), ResourceRequest.ofGpus(1));
    return new Decision.Start(
        job, new Placement(job, List.of(task)), new Reason.Scheduled("fifo", 0));
  }

  private Optional<StartInterval> ask(String job, Duration expected) {
    return forecasts.forecast(JobId.of(job), now, now.plus(expected));
  }
}
