package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Forecast;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;

/**
 * Plays events on a scheduler of its own, and then goes on as long as anything is expected: running
 * jobs end when they are expected to, and the scheduler is woken when it wants to be.
 */
final class Foresight {

  private final LiquidScheduler scheduler;
  private final List<Forecast.Step> steps = new ArrayList<>();

  Foresight(LiquidScheduler scheduler) {
    this.scheduler = scheduler;
  }

  Forecast of(List<ClusterEvent> events, int more) {
    events.forEach(this::play);
    int left = more;
    Optional<ClusterEvent> next = next();
    while (left > 0 && next.isPresent()) {
      play(next.get());
      left--;
      next = next();
    }
    return new Forecast(steps, next.isPresent());
  }

  private void play(ClusterEvent event) {
    steps.add(new Forecast.Step(event, scheduler.on(event)));
  }

  /** Returns what is expected to happen next; ends come before what the scheduler wants then. */
  private Optional<ClusterEvent> next() {
    JobTable jobs = scheduler.state().jobs();
    Instant now = jobs.now();
    NavigableSet<JobEntry> running = jobs.running().soonestToEnd(now);
    Optional<ClusterEvent> end =
        running.isEmpty()
            ? Optional.empty()
            : running.first().expectedEnd(now).map(at -> end(running.first(), at));
    Optional<ClusterEvent> wakeUp =
        scheduler.nextWakeUp().map(at -> new ClusterEvent.TimePassed(later(at, now)));
    return end.isPresent() && wakeUp.filter(wake -> wake.at().isBefore(end.get().at())).isPresent()
        ? wakeUp
        : end.or(() -> wakeUp);
  }

  private static ClusterEvent end(JobEntry job, Instant at) {
    return new ClusterEvent.JobFinished(at, job.id());
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }
}
