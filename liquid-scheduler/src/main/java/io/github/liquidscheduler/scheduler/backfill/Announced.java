package io.github.liquidscheduler.scheduler.backfill;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.timeline.Slot;
import io.github.liquidscheduler.placement.timeline.TimeWindow;
import io.github.liquidscheduler.scheduler.policy.GpuTime;
import io.github.liquidscheduler.scheduling.AdvanceReservation;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.ReservationId;
import java.time.Instant;
import java.util.Optional;

/**
 * An advance reservation that has not ended.
 *
 * @param reservation what was announced
 * @param slot when and where room is kept; empty for maintenance, and while there is none
 * @param hasBegun whether who was still there when it began has been looked at
 */
public record Announced(
    AdvanceReservation reservation, Optional<Slot<Placement>> slot, boolean hasBegun) {

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

  /** Returns the same with room kept elsewhere, or nowhere: who is there has not been looked at. */
  Announced in(Optional<Slot<Placement>> found) {
    return new Announced(reservation, found, false);
  }

  Announced begun() {
    return new Announced(reservation, slot, true);
  }

  /** Returns since when it is kept as announced, or later; empty while room is kept nowhere. */
  Optional<Instant> heldFrom() {
    return reservation instanceof AdvanceReservation.Maintenance
        ? Optional.of(reservation.from())
        : slot.map(kept -> Instant.EPOCH.plusNanos(kept.window().start()))
            .map(kept -> kept.isAfter(reservation.from()) ? kept : reservation.from());
  }

  /** Returns whether it lasts at an instant; room, where and since when it is kept. */
  boolean lasts(Instant now) {
    return heldFrom().filter(from -> !now.isBefore(from)).isPresent()
        && now.isBefore(reservation.until());
  }

  /**
   * Returns whether it has begun by an event. What else happens at the instant at which it begins
   * comes before it: jobs that end then have ended in time, in whatever order that is reported. So
   * it begins as soon as nothing but time has passed at that instant, or with the first later
   * event.
   */
  public boolean hasBegunBy(ClusterEvent event) {
    return lasts(event.at())
        && (event instanceof ClusterEvent.TimePassed
            || heldFrom().filter(event.at()::isAfter).isPresent());
  }

  /** Returns whether it is at its first instant, and has not begun. */
  boolean isDue(Instant now) {
    return lasts(now) && !hasBegun;
  }

  /** Returns whether all that is kept is up; of maintenance, nothing has to be. */
  public boolean isThere(ClusterState cluster) {
    return slot.stream().allMatch(kept -> isUp(kept.placement(), cluster));
  }

  static boolean isUp(Placement placement, ClusterState cluster) {
    return placement.tasks().stream().allMatch(task -> isUp(task, cluster));
  }

  private static boolean isUp(TaskPlacement task, ClusterState cluster) {
    return cluster.topology().contains(task.node())
        && cluster.health(task.node()) == NodeHealth.UP
        && task.gpus().stream().noneMatch(gpu -> cluster.isLost(new GpuId(task.node(), gpu)));
  }

  /** Returns whether something runs on a GPU of the room that is kept. */
  public boolean isIn(Placement placement) {
    return slot.filter(kept -> ReservationHolds.sharesGpu(kept.placement(), placement)).isPresent();
  }
}
