package io.github.liquidscheduler.runtime.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.job.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WaitCalibrationTest {

  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  private static final Duration HOUR = Duration.ofHours(1);
  private static final WaitSpread AN_HOUR = new WaitSpread(3600, 3600, 3600);

  private final WaitCalibration calibration = new WaitCalibration();
  private Instant now = NOON;
  private int jobs;

  @Test
  void nothingIsPromisedBeforeEnoughJobsHaveStarted() {
    for (int job = 0; job < 19; job++) {
      assertThat(waited(AN_HOUR, 1)).isEmpty();
    }

    waited(AN_HOUR, 1);

    assertThat(waited(AN_HOUR, 1)).isPresent();
  }

  @Test
  void jobsThatAlwaysStartedWhenExpectedAreExpectedToTheSecond() {
    learn(30, job -> 1);

    assertThat(ask("a", AN_HOUR))
        .contains(new StartInterval(now.plus(HOUR), now.plus(HOUR), now.plus(HOUR).plusSeconds(1)));
  }

  @Test
  void jobsThatStartedWithinTheirSpreadsHaveThemAsIntervals() {
    for (int job = 0; job < 100; job++) {
      waited(new WaitSpread(1800, 3600, 7200), job % 2 == 0 ? .6 : 1.9);
    }

    assertThat(ask("a", new WaitSpread(60, 100, 300)))
        .contains(
            new StartInterval(now.plusSeconds(60), now.plusSeconds(100), now.plusSeconds(301)));
  }

  @Test
  void jobsThatStartedLaterThanTheyWereSpreadAreExpectedSoMuchLater() {
    learn(100, job -> 2);

    // Of 7,230 s to 3,630 s, with 30 s added to each; 2,970 of it 30 s later.
    assertThat(ask("a", new WaitSpread(600, 3600, 3600)))
        .contains(
            new StartInterval(
                now.plusSeconds(600), now.plus(HOUR), now.plusSeconds(7200).plusSeconds(1)));
  }

  @Test
  void jobsThatStartedEarlierThanTheyWereSpreadAreExpectedSoMuchEarlier() {
    learn(100, job -> .5);

    // (1,800 + 30) / (3,600 + 30) of 330 s is 166.4 s, of which 30 s do not count.
    assertThat(ask("a", new WaitSpread(300, 3600, 3600)).orElseThrow().earliest())
        .isEqualTo(now.plusSeconds(136));
  }

  @Test
  void oneLateJobInTwentyIsLeftOutsideAndTwoAreNot() {
    learn(100, job -> job < 4 ? 2 : 1);
    assertThat(ask("a", AN_HOUR).orElseThrow().latest()).isEqualTo(now.plus(HOUR).plusSeconds(1));

    learn(100, job -> job < 10 ? 2 : 1);
    assertThat(ask("b", AN_HOUR).orElseThrow().latest()).isEqualTo(now.plusSeconds(7201));
  }

  @Test
  void shortWaitsLearnFromShortOnes() {
    WaitSpread aMinute = new WaitSpread(60, 60, 60);
    learn(200, job -> 1);
    for (int job = 0; job < 200; job++) {
      waited(aMinute, 10);
    }

    assertThat(ask("long", AN_HOUR).orElseThrow().latest())
        .isEqualTo(now.plus(HOUR).plusSeconds(1));
    assertThat(ask("short", aMinute).orElseThrow().latest()).isEqualTo(now.plusSeconds(601));
  }

  @Test
  void whoStillWaitsCountsOnceItHasWaitedLongerThanItsMedian() {
    learn(30, job -> 1);
    for (int job = 0; job < 30; job++) {
      ask("late" + job, AN_HOUR);
    }
    now = now.plus(HOUR);
    assertThat(ask("a", AN_HOUR).orElseThrow().latest()).isEqualTo(now.plus(HOUR).plusSeconds(1));

    now = now.plus(HOUR);
    assertThat(ask("b", AN_HOUR).orElseThrow().latest()).isEqualTo(now.plusSeconds(7201));
  }

  @Test
  void whatWillNotStartTeachesNothing() {
    learn(30, job -> 1);
    for (int job = 0; job < 30; job++) {
      ask("late" + job, AN_HOUR);
      calibration.forget(JobId.of("late" + job));
    }
    now = now.plus(HOUR.multipliedBy(3));

    assertThat(ask("a", AN_HOUR).orElseThrow().latest()).isEqualTo(now.plus(HOUR).plusSeconds(1));
  }

  @Test
  void onlyTheFirstForecastOfAJobIsLearnedFrom() {
    for (int job = 0; job < 30; job++) {
      ask("j" + jobs, AN_HOUR);
      waited(new WaitSpread(1, 1, 1), 7200);
    }

    assertThat(ask("a", AN_HOUR).orElseThrow().latest()).isEqualTo(now.plusSeconds(7201));
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
    WaitCalibrationTest each = new WaitCalibrationTest();
    Random draw = new Random(seed);
    int held = 0;
    int told = 0;
    for (int job = 0; job < 1_000; job++) {
      double expected = 60 + draw.nextInt(7_200);
      double ratio = Math.exp(draw.nextGaussian() * (1 + expected / 7_200.0));
      Instant asked = each.now;
      Optional<StartInterval> interval =
          each.waited(new WaitSpread(expected, expected, expected), ratio);
      if (interval.isPresent()) {
        told++;
        held += interval.get().contains(asked.plusMillis(millis(expected, ratio))) ? 1 : 0;
      }
    }
    assertThat((double) held / told).isBetween(.86, .94);
  }

  private static long millis(double expected, double ratio) {
    return Math.round(expected * 1000 * ratio);
  }

  private void learn(int count, IntToDoubleFunction ratio) {
    for (int job = 0; job < count; job++) {
      waited(AN_HOUR, ratio.applyAsDouble(job));
    }
  }

  /** Lets a job wait for {@code ratio} times its median, and start. */
  private Optional<StartInterval> waited(WaitSpread spread, double ratio) {
    String job = "j" + jobs++;
    Optional<StartInterval> interval = ask(job, spread);
    now = now.plusMillis(millis(spread.middle(), ratio));
    calibration.started(JobId.of(job), now);
    return interval;
  }

  private Optional<StartInterval> ask(String job, WaitSpread spread) {
    return calibration.forecast(JobId.of(job), now, spread);
  }
}
