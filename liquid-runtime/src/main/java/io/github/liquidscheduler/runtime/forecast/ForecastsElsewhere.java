package io.github.liquidscheduler.runtime.forecast;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.runtime.SchedulerLoop;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Forecasts of the starts of a {@link SchedulerLoop}'s jobs, computed on other threads: the thread
 * that decides is asked for a copy of the scheduler only. Thread-safe.
 */
public final class ForecastsElsewhere {

  private final InstantSource clock;
  private final Executor threads;
  private StartForecasts forecasts = new StartForecasts();
  private Instant latest = Instant.MIN;

  /**
   * Makes forecasts without observations.
   *
   * @param clock the clock of the loop
   * @param threads where forecasts are computed
   */
  public ForecastsElsewhere(InstantSource clock, Executor threads) {
    this.clock = Objects.requireNonNull(clock, "clock");
    this.threads = Objects.requireNonNull(threads, "threads");
  }

  /**
   * Records an event and its decisions, as {@link StartForecasts#decided} does. To be called where
   * the loop's journal appends, so that what is {@linkplain #save saved} is as old as the journal.
   */
  public synchronized void decided(ClusterEvent event, List<Decision> decisions) {
    latest = event.at();
    forecasts.decided(event, decisions);
  }

  /**
   * Returns the forecast start of a waiting job, as {@link StartForecasts#forecast} does; empty
   * also if the job does not wait any more when the answer is there. Fails as {@link
   * SchedulerLoop#ask} does.
   *
   * @param loop the loop whose journal tells of events
   * @param steps the number of job ends and wake-ups simulated per scenario
   */
  public CompletionStage<Optional<StartInterval>> forecast(
      SchedulerLoop loop, JobId job, int steps) {
    return loop.<StartQuestion>ask(scheduler -> question(job, scheduler.copy()))
        .thenApplyAsync(question -> answer(question, steps), threads);
  }

  private synchronized StartQuestion question(JobId job, Scheduler copy) {
    Instant now = clock.instant();
    return forecasts.ask(job, copy, now.isAfter(latest) ? now : latest);
  }

  private Optional<StartInterval> answer(StartQuestion question, int steps) {
    return question.spread(steps).flatMap(spread -> conclude(question, spread));
  }

  private synchronized Optional<StartInterval> conclude(StartQuestion question, WaitSpread spread) {
    return forecasts.conclude(question, spread);
  }

  /** Returns all that was observed, to go on from after a restart. */
  public synchronized SnapshotSection save() {
    return forecasts.save();
  }

  /**
   * Goes on from what was observed before a restart, instead of what was observed since.
   *
   * @throws IllegalArgumentException if {@link #save} did not make the section
   */
  public synchronized void load(SnapshotSection saved) {
    forecasts = StartForecasts.load(saved);
  }
}
