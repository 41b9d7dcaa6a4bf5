package io.github.liquidscheduler.scheduler.explain;

import io.github.liquidscheduler.explanation.Constraint;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The constraint of a waiting job that must not start before a time. */
public final class BackOff {

  private BackOff() {}

  /**
   * Returns the constraint of a held job, with the seconds required and waited; empty if it is not
   * held.
   */
  public static Optional<UnmetConstraint> of(JobEntry job, Instant now) {
    return Optional.ofNullable(job.delayedUntil())
        .map(
            until ->
                new UnmetConstraint(
                    Constraint.BACK_OFF,
                    until.isAfter(GpuTime.LATEST) ? "until it is updated" : "until " + until,
                    Duration.between(job.since(), until).plusNanos(999_999_999).toSeconds(),
                    Duration.between(job.since(), now).toSeconds(),
                    Optional.empty()));
  }
}
