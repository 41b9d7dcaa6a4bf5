package io.github.liquidscheduler.simulator;

import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.ResizeStep;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Counts the iterations of one job that is alone, from nothing but the events and decisions: for as
 * long as it works, at the speed of the size it has.
 */
final class IterationCount implements SimulationListener {

  private double done;
  private double speed;
  private double next;
  private Instant since = Instant.EPOCH;

  /** Points 1, 1.8, 3 and 4 at 1, 2, 4 and 8 GPUs. */
  private static double speed(int gpus) {
    return gpus <= 2
        ? 1 + .8 * (gpus - 1)
        : gpus <= 4 ? 1.8 + .6 * (gpus - 2) : 3 + .25 * (gpus - 4);
  }

  double until(Duration end) {
    pass(Instant.EPOCH.plus(end), speed);
    return done;
  }

  @Override
  public void decided(ClusterEvent event, List<Decision> decisions, Scheduler scheduler) {
    if (event instanceof ClusterEvent.ResizeReported report) {
      boolean isReady = report.step() == ResizeStep.READY;
      pass(event.at(), isReady ? 0 : next);
    }
    for (Decision decision : decisions) {
      switch (decision) {
        case Decision.Start start -> pass(event.at(), speed(start.placement().gpus()));
        case Decision.Resize resize -> next = speed(resize.placement().gpus());
        default -> {}
      }
    }
  }

  private void pass(Instant now, double speedFromNow) {
    Duration time = Duration.between(since, now);
    done += speed * (time.getSeconds() + time.getNano() / 1e9);
    since = now;
    speed = speedFromNow;
  }
}
