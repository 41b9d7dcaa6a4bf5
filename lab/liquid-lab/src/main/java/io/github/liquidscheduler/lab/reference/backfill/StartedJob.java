package io.github.liquidscheduler.lab.reference.backfill;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.placement.timeline.Slot;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * A job that starts.
 *
 * @param <P> the placements
 * @param job the job
 * @param slot its window from now to its predicted end, and its placement
 * @param promised the start of its first reservation; empty if it never had one
 */
public record StartedJob<P>(JobId job, Slot<P> slot, OptionalLong promised) {

  /** Checks that nothing is null. */
  public StartedJob {
    Objects.requireNonNull(job, "job");
    Objects.requireNonNull(slot, "slot");
    Objects.requireNonNull(promised, "promised");
  }
}
