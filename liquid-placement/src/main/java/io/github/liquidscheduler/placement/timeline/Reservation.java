package io.github.liquidscheduler.placement.timeline;

import io.github.liquidscheduler.job.JobId;
import java.util.Objects;

/**
 * The slot that is kept for a waiting job. The start of the head's reservation is the shadow time
 * of EASY backfill.
 *
 * @param <P> what a placement is
 * @param job the job
 * @param slot when and where it is to run as things stand
 * @param promised the first start that it was ever given
 */
public record Reservation<P>(JobId job, Slot<P> slot, long promised) {

  /** Checks that nothing is null. */
  public Reservation {
    Objects.requireNonNull(job, "job");
    Objects.requireNonNull(slot, "slot");
  }

  /** Returns when the job is to start as things stand. */
  public long start() {
    return slot.window().start();
  }

  /** Returns the reservation with another slot, and the promise of before. */
  Reservation<P> movedTo(Slot<P> other) {
    return new Reservation<>(job, other, promised);
  }
}
