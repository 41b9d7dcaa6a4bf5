package io.github.liquidscheduler.placement.timeline;

import io.github.liquidscheduler.job.JobId;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * A job that starts.
 *
 * @param <P> what a placement is
 * @param job the job
 * @param slot from now to its predicted end, and where
 * @param promised the first start that a reservation gave it; empty if it never had one
 */
public record StartedJob<P>(JobId job, Slot<P> slot, OptionalLong promised) {

  /** Checks that nothing is null. */
  public StartedJob {
    Objects.requireNonNull(job, "job");
    Objects.requireNonNull(slot, "slot");
    Objects.requireNonNull(promised, "promised");
  }
}
