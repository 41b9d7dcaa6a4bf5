package io.github.liquidscheduler.runtime;

import static io.github.liquidscheduler.runtime.LoopFixture.end;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.json.JournalDirectory;
import io.github.liquidscheduler.json.JournalHeader;
import io.github.liquidscheduler.runtime.forecast.ForecastsElsewhere;
import io.github.liquidscheduler.runtime.forecast.StartInterval;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One job after the other fills the cluster; the next one is asked about while it waits. */
class ForecastsElsewhereTest {

  private final LoopFixture fixture = new LoopFixture();
  private final ManualTime time = fixture.time;
  private final Queue<Runnable> elsewhere = new ArrayDeque<>();
  private final ForecastsElsewhere forecasts = new ForecastsElsewhere(time, elsewhere::add);
  private int submitted;

  private SchedulerLoop start(LiquidScheduler scheduler, EventJournal journal) {
    return fixture.loop(scheduler).journal(journal).start();
  }

  private SchedulerLoop start() {
    return start(LoopFixture.scheduler().build(), EventJournal.of(forecasts::decided, () -> {}));
  }

  /** Has so many jobs run for as many seconds each, and leaves one that runs and one that waits. */
  private void run(SchedulerLoop loop, int jobs, int seconds) {
    submit(loop);
    for (int job = 0; job < jobs; job++) {
      submit(loop);
      answered(ask(loop));
      time.pass(Duration.ofSeconds(seconds));
      loop.offer(end("job-" + job));
      time.settle();
    }
    submit(loop);
  }

  private void submit(SchedulerLoop loop) {
    loop.offer(LoopFixture.submission("job-" + submitted++, 4));
    time.settle();
  }

  private CompletableFuture<Optional<StartInterval>> ask(SchedulerLoop loop) {
    CompletableFuture<Optional<StartInterval>> answer =
        forecasts.forecast(loop, JobId.of("job-" + (submitted - 1)), 100).toCompletableFuture();
    time.settle();
    return answer;
  }

  private Optional<StartInterval> answered(CompletableFuture<Optional<StartInterval>> answer) {
    elsewhere.remove().run();
    return answer.join();
  }

  @Test
  void theForecastIsComputedElsewhereWhileTheLoopGoesOn() {
    SchedulerLoop loop = start();
    run(loop, 50, 70);

    CompletableFuture<Optional<StartInterval>> answer = ask(loop);
    assertThat(answer).isNotDone();
    loop.offer(LoopFixture.submission("another", 1));
    time.settle();

    assertThat(answered(answer))
        .hasValueSatisfying(
            interval -> assertThat(interval.expected()).isEqualTo(time.instant().plusSeconds(70)));
  }

  @Test
  void nothingIsSaidOfAJobThatHasStartedBeforeTheAnswerWasThere() {
    SchedulerLoop loop = start();
    run(loop, 50, 70);
    CompletableFuture<Optional<StartInterval>> answer = ask(loop);

    loop.offer(end("job-50"));
    time.settle();

    assertThat(answered(answer)).isEmpty();
  }

  @Test
  void whatWasLearnedIsThereAfterARestart(@TempDir Path folder) {
    SnapshotSection before;
    try (JournalDirectory journals = JournalDirectory.lock(folder)) {
      LiquidScheduler scheduler = LoopFixture.scheduler().build();
      journals.rotate(scheduler);
      SchedulerLoop loop =
          start(
              scheduler,
              EventJournal.of(
                  (event, decisions) -> {
                    journals.append(event, decisions);
                    forecasts.decided(event, decisions);
                  },
                  () -> {
                    journals.force();
                    if (journals.events() > 20) {
                      journals.rotate(scheduler, Map.of("forecasts", forecasts.save()));
                    }
                  }));
      run(loop, 50, 70);
      assertThat(journals.events()).isPositive();
      before = forecasts.save();
    }

    ForecastsElsewhere after = new ForecastsElsewhere(time, elsewhere::add);
    try (JournalDirectory journals = JournalDirectory.lock(folder)) {
      journals.recover(header -> restored(header, after), after::decided);
    }
    assertThat(after.save().values().get("runTimes")).isEqualTo(before.values().get("runTimes"));
  }

  private static LiquidScheduler restored(JournalHeader header, ForecastsElsewhere forecasts) {
    Optional.ofNullable(header.attached().get("forecasts")).ifPresent(forecasts::load);
    return LoopFixture.scheduler().restore(header.start().orElseThrow());
  }

  @Test
  void whatIsNoForecastIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> forecasts.load(SnapshotSection.builder().put("a", 1).build()));
  }
}
