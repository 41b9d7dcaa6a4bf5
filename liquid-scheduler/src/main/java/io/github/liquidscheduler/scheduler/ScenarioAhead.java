package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.prediction.RunTimeScenario;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Simulates the scheduler under a run-time scenario that it does not know itself. */
final class ScenarioAhead {

  private final TurnsAhead turns;
  private final RunTimeScenario scenario;
  // Never iterated. A job keeps its first sampled run time for the whole look-ahead.
  private final Map<JobId, Optional<Duration>> runTimes = new HashMap<>();

  ScenarioAhead(TurnsAhead turns, RunTimeScenario scenario) {
    this.turns = turns;
    this.scenario = scenario;
  }

  Optional<Instant> firstStart(JobId job, int more) {
    EventsAhead ahead = new EventsAhead(turns, this::end);
    int left = more;
    Optional<ClusterEvent> next = ahead.next();
    while (left > 0 && next.isPresent()) {
      if (starts(ahead.play(next.get()), job)) {
        return Optional.of(next.get().at());
      }
      left--;
      next = ahead.next();
    }
    return Optional.empty();
  }

  private static boolean starts(List<Decision> decisions, JobId job) {
    return decisions.stream()
        .anyMatch(decision -> decision instanceof Decision.Start start && start.job().equals(job));
  }

  private static Instant begin(JobEntry job, Instant now) {
    return job.isStarting() && job.knownAt().isAfter(now) ? job.knownAt() : now;
  }

  private Optional<Instant> end(JobEntry job) {
    Instant now = turns.jobs().now();
    if (job.history().remaining() != null) {
      return job.expectedEnd(now);
    }
    return runTimes
        .computeIfAbsent(job.id(), any -> scenario.runTime(job.job(), job.at(now).worked()))
        .flatMap(runTime -> GpuTime.after(begin(job, now), job.at(now).timeLeft(runTime)));
  }
}
