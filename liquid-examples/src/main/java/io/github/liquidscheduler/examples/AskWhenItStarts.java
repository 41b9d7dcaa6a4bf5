package io.github.liquidscheduler.examples;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.runtime.forecast.StartForecasts;
import io.github.liquidscheduler.runtime.forecast.StartInterval;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Tells users when their jobs start, and learns from how far that was off. */
public final class AskWhenItStarts {

  private final Scheduler scheduler;

  AskWhenItStarts(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  // @start region="forecast"
  private final StartForecasts forecasts = new StartForecasts();

  List<Decision> decide(ClusterEvent event) {
    List<Decision> decisions = scheduler.on(event);
    forecasts.decided(event, decisions);
    return decisions;
  }

  Optional<StartInterval> whenStarts(JobId job, Instant now) {
    return forecasts.forecast(job, scheduler, now, 2000);
  }
  // @end
}
