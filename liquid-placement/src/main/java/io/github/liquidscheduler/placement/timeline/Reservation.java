package io.github.liquidscheduler.placement.timeline;

import io.github.liquidscheduler.job.JobId;
import java.util.Objects;

/**
 * The slot reserved for a waiting job. The start of the head's reservation is the shadow time of
 * EASY backfill.
 *
 * @param <P> the placements
 * @param slot its current window and placement
 * @param promised the start of its first reservation
 */
public record Reservation<P>(JobId job, Slot<P> slot, long promised) {

  /** Checks that nothing is null. */
  public Reservation {
    Objects.requireNonNull(job, "job");
    Objects.requireNonNull(slot, "slot");
  }

  /** Returns the current start. */
  public long start() {
    return slot.window().start();
  }

  /** Returns the reservation with another slot and the same promise. */
  Reservation<P> movedTo(Slot<P> other) {
    return new Reservation<>(job, other, promised);
  }
}
