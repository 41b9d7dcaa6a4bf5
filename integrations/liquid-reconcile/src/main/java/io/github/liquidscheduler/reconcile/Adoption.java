package io.github.liquidscheduler.reconcile;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import java.time.Instant;
import java.util.Optional;

/** Jobs that run, though the scheduler has not started them, or not where they are. */
final class Adoption {

  private Adoption() {}

  /** Returns the event that tells of a job; empty if it is not known what it holds. */
  static Optional<Differences.Told> of(ObservedJob job, JobId name) {
    return Optional.empty();
  }

  /** The manager's clock may be ahead. */
  static JobSpec submittedBy(Instant now, JobSpec spec) {
    return spec.submittedAt().filter(now::isBefore).isPresent()
        ? spec.toBuilder().submittedAt(now).build()
        : spec;
  }
}
