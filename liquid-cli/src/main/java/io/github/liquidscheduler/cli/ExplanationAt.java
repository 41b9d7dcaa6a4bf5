package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.explanation.Explanation;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import io.github.liquidscheduler.simulator.SimulationListener;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Explains why a job waits, at the last event up to an instant of a simulation. */
final class ExplanationAt implements SimulationListener {

  private final JobId job;
  private final Instant instant;
  private @Nullable Explanation found;

  ExplanationAt(String job, Duration instant) {
    this.job = JobId.of(job);
    this.instant = Instant.EPOCH.plus(instant);
  }

  @Override
  public void decided(ClusterEvent event, List<Decision> decisions, Scheduler scheduler) {
    if (!event.at().isAfter(instant) && scheduler.waiting().contains(job)) {
      found = scheduler.explain(job);
    }
  }

  Optional<Explanation> found() {
    return Optional.ofNullable(found);
  }
}
