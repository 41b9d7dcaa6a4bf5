package io.github.liquidscheduler.simulator.forecast;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.runtime.forecast.StartForecasts;
import io.github.liquidscheduler.runtime.forecast.StartInterval;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.simulator.SimulationListener;
import io.github.liquidscheduler.simulator.metrics.DurationDistribution;
import io.github.liquidscheduler.text.Count;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Asks the scheduler for the expected starts of some waiting jobs at their submission, and compares
 * them with the actual starts. Each question looks ahead on a copy. Not thread-safe.
 */
public final class ForecastMeter implements SimulationListener {

  private final int every;
  private final int steps;
  private final StartForecasts forecasts = new StartForecasts();
  // Never iterated.
  private final Map<JobId, Told> open = new HashMap<>();
  private final List<Outcome> outcomes = new ArrayList<>();
  // Never iterated.
  private final Map<JobId, Integer> positions = new HashMap<>();
  private int submitted;
  private int lastToStart;
  private int waited;
  private int asked;

  /** The answer about a job, and its position among the submissions. */
  private record Told(int position, Instant expected, Optional<StartInterval> interval) {}

  private record Outcome(Told told, Instant start, boolean wasBypassed) {
    Duration error() {
      return Duration.between(told.expected, start).abs();
    }

    boolean isExact() {
      return error().toSeconds() < 1;
    }
  }

  /**
   * Returns a meter.
   *
   * @param every the sampling of waiting jobs: 1 for all, 10 for every tenth, at least 1
   * @param steps the number of events that a question looks ahead, at least 1
   * @throws IllegalArgumentException if an argument is less than 1
   */
  public ForecastMeter(int every, int steps) {
    if (every < 1 || steps < 1) {
      throw new IllegalArgumentException(
          "forecasts need numbers of at least 1, but were every %d and %s"
              .formatted(every, Count.of(steps, "step")));
    }
    this.every = every;
    this.steps = steps;
  }

  @Override
  public void decided(ClusterEvent event, List<Decision> decisions, Scheduler scheduler) {
    if (event instanceof ClusterEvent.JobSubmitted submission) {
      positions.put(submission.spec().id(), submitted++);
    }
    for (Decision decision : decisions) {
      if (decision instanceof Decision.Start start) {
        started(start.job(), event.at());
      }
    }
    forecasts.decided(event, decisions);
    if (event instanceof ClusterEvent.JobSubmitted submission) {
      JobId job = submission.spec().id();
      boolean isWaiting =
          scheduler.status(job).filter(JobStatus.Waiting.class::isInstance).isPresent();
      if (isWaiting && waited++ % every == 0) {
        ask(job, event.at(), scheduler);
      }
    }
  }

  private void ask(JobId job, Instant now, Scheduler scheduler) {
    asked++;
    Optional<StartInterval> interval = forecasts.forecast(job, scheduler, now, steps);
    interval
        .map(StartInterval::expected)
        .or(() -> scheduler.whatIf(List.of(), steps).firstStart(job))
        .ifPresent(expected -> open.put(job, new Told(submitted - 1, expected, interval)));
  }

  private void started(JobId job, Instant at) {
    @Nullable Told told = open.remove(job);
    if (told != null) {
      outcomes.add(new Outcome(told, at, told.position < lastToStart));
    }
    lastToStart = Math.max(lastToStart, Objects.requireNonNullElse(positions.remove(job), 0));
  }

  /** Returns the report so far. */
  public ForecastReport report() {
    List<Outcome> sure = outcomes.stream().filter(each -> each.told.interval.isPresent()).toList();
    return new ForecastReport(
        asked,
        outcomes.size(),
        (int) outcomes.stream().filter(Outcome::isExact).count(),
        (int) outcomes.stream().filter(each -> !each.wasBypassed).count(),
        (int) outcomes.stream().filter(each -> !each.wasBypassed && each.isExact()).count(),
        median(outcomes.stream().map(Outcome::error).toList()),
        sure.size(),
        (int) sure.stream().filter(each -> intervalOf(each).contains(each.start)).count(),
        median(sure.stream().map(each -> width(intervalOf(each))).toList()));
  }

  private static StartInterval intervalOf(Outcome outcome) {
    return outcome.told.interval.orElseThrow();
  }

  private static Duration width(StartInterval interval) {
    return Duration.between(interval.earliest(), interval.latest());
  }

  private static Duration median(List<Duration> times) {
    return times.isEmpty() ? Duration.ZERO : DurationDistribution.of(times).median();
  }
}
