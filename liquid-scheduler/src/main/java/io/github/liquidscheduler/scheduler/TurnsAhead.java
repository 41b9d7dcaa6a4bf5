package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.prediction.RunTimeScenario;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Forecast;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The turns of a look ahead, without bounds on an event: running jobs end when expected, and the
 * scheduler is woken when it asks to be.
 *
 * @param jobs the jobs; live
 * @param turn takes an event and returns the decisions
 * @param wakeUp returns the next wake-up that the scheduler asks for
 */
record TurnsAhead(
    JobTable jobs,
    Function<ClusterEvent, List<Decision>> turn,
    Supplier<Optional<Instant>> wakeUp) {

  /** Plays events, then as many more. */
  Forecast forecast(List<ClusterEvent> events, int more) {
    List<Forecast.Step> steps = new ArrayList<>();
    events.forEach(event -> steps.add(new Forecast.Step(event, turn.apply(event))));
    EventsAhead ahead = new EventsAhead(this, job -> job.expectedEnd(jobs.now()));
    Optional<ClusterEvent> next = ahead.next();
    for (int left = more; left > 0 && next.isPresent(); left--) {
      steps.add(new Forecast.Step(next.get(), ahead.play(next.get())));
      next = ahead.next();
    }
    return new Forecast(steps, next.isPresent());
  }

  /**
   * Returns the first start of a job within a number of events, under a run-time scenario that the
   * scheduler does not know itself.
   */
  Optional<Instant> firstStart(JobId job, RunTimeScenario scenario, int more) {
    // Never iterated. A job keeps its first sampled run time for the whole look-ahead.
    Map<JobId, Optional<Duration>> runTimes = new HashMap<>();
    EventsAhead ahead = new EventsAhead(this, running -> end(running, scenario, runTimes));
    Optional<ClusterEvent> next = ahead.next();
    for (int left = more; left > 0 && next.isPresent(); left--) {
      if (starts(ahead.play(next.get()), job)) {
        return Optional.of(next.get().at());
      }
      next = ahead.next();
    }
    return Optional.empty();
  }

  private Optional<Instant> end(
      JobEntry job, RunTimeScenario scenario, Map<JobId, Optional<Duration>> runTimes) {
    Instant now = jobs.now();
    if (job.history().remaining() != null) {
      return job.expectedEnd(now);
    }
    Instant begin = job.isStarting() && job.knownAt().isAfter(now) ? job.knownAt() : now;
    return runTimes
        .computeIfAbsent(job.id(), any -> scenario.runTime(job.job(), job.at(now).worked()))
        .flatMap(runTime -> GpuTime.after(begin, job.at(now).timeLeft(runTime)));
  }

  private static boolean starts(List<Decision> decisions, JobId job) {
    return decisions.stream()
        .anyMatch(decision -> decision instanceof Decision.Start start && start.job().equals(job));
  }
}
