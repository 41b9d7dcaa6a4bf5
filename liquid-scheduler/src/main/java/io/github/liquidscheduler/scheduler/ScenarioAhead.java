package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.prediction.RunTimeScenario;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Plays on a scheduler of its own what a scenario of run times brings, which the scheduler itself
 * does not know. When a job ends is found out as it starts, and again when it moves or changes its
 * size.
 */
final class ScenarioAhead {

  private final LiquidScheduler scheduler;
  private final RunTimeScenario scenario;
  private final TreeSet<End> ends =
      new TreeSet<>(Comparator.comparing(End::at).thenComparingLong(End::start));
  // Never iterated.
  private final Map<JobId, End> endOf = new HashMap<>();
  // Never iterated. One length for all of a look-ahead, whatever has run when it is asked.
  private final Map<JobId, Optional<Duration>> runTimes = new HashMap<>();

  private record End(Instant at, long start, JobId job) {}

  ScenarioAhead(LiquidScheduler scheduler, RunTimeScenario scenario) {
    this.scheduler = scheduler;
    this.scenario = scenario;
    jobs().running().inOrder().forEach(this::foresee);
  }

  private JobTable jobs() {
    return scheduler.state().jobs();
  }

  Optional<Instant> firstStart(JobId job, int more) {
    int left = more;
    Optional<ClusterEvent> next = next();
    while (left > 0 && next.isPresent()) {
      if (starts(play(next.get()), job)) {
        return Optional.of(next.get().at());
      }
      left--;
      next = next();
    }
    return Optional.empty();
  }

  private static boolean starts(List<Decision> decisions, JobId job) {
    return decisions.stream()
        .anyMatch(decision -> decision instanceof Decision.Start start && start.job().equals(job));
  }

  private List<Decision> play(ClusterEvent event) {
    List<Decision> decisions = scheduler.on(event);
    if (event instanceof ClusterEvent.JobFinished finished) {
      forget(finished.job());
    }
    for (Decision decision : decisions) {
      if (decision instanceof Decision.AboutJob about) {
        forget(about.job());
        foreseeIfRunning(about.job());
      }
    }
    return decisions;
  }

  private void forget(JobId job) {
    @Nullable End end = endOf.remove(job);
    if (end != null) {
      ends.remove(end);
    }
  }

  private void foreseeIfRunning(JobId job) {
    @Nullable JobEntry entry = jobs().find(job);
    if (entry != null && entry.isRunning()) {
      foresee(entry);
    }
  }

  private void foresee(JobEntry job) {
    Instant now = jobs().now();
    left(job, now)
        .filter(left -> left.compareTo(Duration.between(now, Instant.MAX)) < 0)
        .map(left -> new End(now.plus(left), job.start(), job.id()))
        .ifPresent(
            end -> {
              endOf.put(job.id(), end);
              ends.add(end);
            });
  }

  private Optional<Duration> left(JobEntry job, Instant now) {
    if (job.hasReported()) {
      return job.timeLeft(now);
    }
    return runTimes
        .computeIfAbsent(job.id(), any -> scenario.runTime(job.job(), job.worked(now)))
        .map(runTime -> job.timeLeft(now, runTime));
  }

  /** Returns what comes next; ends come before what the scheduler wants at the same time. */
  private Optional<ClusterEvent> next() {
    Instant now = jobs().now();
    Optional<Instant> wakeUp = scheduler.nextWakeUp().map(at -> at.isAfter(now) ? at : now);
    if (ends.isEmpty() || wakeUp.filter(ends.first().at()::isAfter).isPresent()) {
      return wakeUp.map(ClusterEvent.TimePassed::new);
    }
    return Optional.of(new ClusterEvent.JobFinished(ends.first().at(), ends.first().job()));
  }
}
