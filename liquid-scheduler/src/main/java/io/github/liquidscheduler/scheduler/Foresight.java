package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Forecast;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Plays events, then simulates the scheduler further: running jobs end when expected, and the
 * scheduler is woken when it asks to be.
 */
final class Foresight {

  private final TurnsAhead turns;
  private final List<Forecast.Step> steps = new ArrayList<>();

  Foresight(TurnsAhead turns) {
    this.turns = turns;
  }

  Forecast of(List<ClusterEvent> events, int more) {
    events.forEach(event -> note(event, turns.on(event)));
    EventsAhead ahead = new EventsAhead(turns, this::end);
    int left = more;
    Optional<ClusterEvent> next = ahead.next();
    while (left > 0 && next.isPresent()) {
      note(next.get(), ahead.play(next.get()));
      left--;
      next = ahead.next();
    }
    return new Forecast(steps, next.isPresent());
  }

  private Optional<Instant> end(JobEntry job) {
    return job.expectedEnd(turns.jobs().now());
  }

  private void note(ClusterEvent event, List<Decision> decisions) {
    steps.add(new Forecast.Step(event, decisions));
  }
}
