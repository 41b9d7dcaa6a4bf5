package io.github.liquidscheduler.scheduler.backfill;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.placement.timeline.Slot;
import io.github.liquidscheduler.placement.timeline.TimeWindow;
import io.github.liquidscheduler.scheduler.policy.GpuTime;
import io.github.liquidscheduler.scheduling.AdvanceReservation;
import io.github.liquidscheduler.scheduling.ReservationId;
import java.time.Instant;
import java.util.Optional;

/**
 * An advance reservation that has not ended.
 *
 * @param reservation what was announced
 * @param room when and where room is kept; empty for maintenance, and while there is none
 * @param hasBegun whether who was still in the room when it began has been looked at
 */
public record Announced(
    AdvanceReservation reservation, Optional<Slot<Placement>> room, boolean hasBegun) {

  static Announced of(AdvanceReservation reservation) {
    return new Announced(reservation, Optional.empty(), false);
  }

  ReservationId id() {
    return reservation.id();
  }

  /** Returns from when until when, in nanoseconds. */
  TimeWindow window() {
    long from = GpuTime.nanos(reservation.from());
    return new TimeWindow(from, Math.max(GpuTime.cappedSum(from, 1), until()));
  }

  long until() {
    return GpuTime.nanos(reservation.until());
  }

  Announced in(Optional<Slot<Placement>> found) {
    return new Announced(reservation, found, hasBegun);
  }

  Announced begun() {
    return new Announced(reservation, room, true);
  }

  /** Returns whether it lasts at an instant; room, where and since when it is kept. */
  public boolean lasts(Instant now) {
    long instant = GpuTime.nanos(now);
    boolean isKept =
        reservation instanceof AdvanceReservation.Maintenance
            || room.filter(kept -> kept.window().start() <= instant).isPresent();
    return isKept && !now.isBefore(reservation.from()) && now.isBefore(reservation.until());
  }
}
