package io.github.liquidscheduler.scheduler.explain;

import io.github.liquidscheduler.job.JobId;
import java.time.Instant;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;

/**
 * When a running job is expected to end.
 *
 * @param job the job
 * @param at when, or empty if nobody knows
 */
public record ExpectedEnd(JobId job, Optional<Instant> at) {

  /** The order in which jobs are expected to end; those of which nobody knows come last. */
  static final Comparator<ExpectedEnd> SOONEST_FIRST =
      Comparator.comparing(end -> end.at().orElse(Instant.MAX));

  /** Checks that nothing is null. */
  public ExpectedEnd {
    Objects.requireNonNull(job, "job");
    Objects.requireNonNull(at, "at");
  }
}
