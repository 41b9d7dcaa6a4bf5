package io.github.liquidscheduler.scheduler.backfill;

import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.timeline.Slot;
import io.github.liquidscheduler.placement.timeline.TimeWindow;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import io.github.liquidscheduler.scheduling.AdvanceReservation;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.ReservationId;
import java.time.Instant;
import java.util.Optional;

/**
 * An advance reservation that has not ended.
 *
 * @param reservation the announced reservation
 * @param slot the window and place of the reserved capacity; empty for maintenance, and while none
 *     is found
 * @param hasBegun whether the jobs still present at its beginning were handled
 */
public record Announced(
    AdvanceReservation reservation, Optional<Slot<Placement>> slot, boolean hasBegun) {

  static Announced of(AdvanceReservation reservation) {
    return new Announced(reservation, Optional.empty(), false);
  }

  ReservationId id() {
    return reservation.id();
  }

  /** Returns the announced window, in nanoseconds since the epoch. */
  TimeWindow window() {
    long from = GpuTime.nanos(reservation.from());
    return new TimeWindow(from, Math.max(GpuTime.cappedSum(from, 1), until()));
  }

  long until() {
    return GpuTime.nanos(reservation.until());
  }

  /**
   * Returns this reservation at another place, or at none; jobs present there are not yet handled.
   */
  Announced in(Optional<Slot<Placement>> found) {
    return new Announced(reservation, found, false);
  }

  Announced begun() {
    return new Announced(reservation, slot, true);
  }

  /** Returns the start of the hold, as announced or later; empty while no capacity is found. */
  Optional<Instant> heldFrom() {
    return reservation instanceof AdvanceReservation.Maintenance
        ? Optional.of(reservation.from())
        : slot.map(kept -> Instant.EPOCH.plusNanos(kept.window().start()))
            .map(kept -> kept.isAfter(reservation.from()) ? kept : reservation.from());
  }

  /** Returns true if the hold covers an instant. */
  boolean lasts(Instant now) {
    return heldFrom().filter(from -> !now.isBefore(from)).isPresent()
        && now.isBefore(reservation.until());
  }

  /**
   * Returns true if the reservation has begun by an event. Other events at its first instant
   * precede it, so that jobs ending then have ended in time whatever the order of their reports: it
   * begins once only time passes at that instant, or with the first later event.
   */
  public boolean hasBegunBy(ClusterEvent event) {
    return lasts(event.at())
        && (event instanceof ClusterEvent.TimePassed
            || heldFrom().filter(event.at()::isAfter).isPresent());
  }

  /** Returns true if the reservation is at its first instant and has not begun. */
  boolean isDue(Instant now) {
    return lasts(now) && !hasBegun;
  }

  /** Returns true if all reserved nodes and GPUs are up; always true for maintenance. */
  public boolean isThere(ClusterState cluster) {
    return slot.stream().allMatch(kept -> isUp(kept.placement(), cluster));
  }

  static boolean isUp(Placement placement, ClusterState cluster) {
    return placement.tasks().stream().allMatch(task -> isUp(task, cluster));
  }

  private static boolean isUp(TaskPlacement task, ClusterState cluster) {
    return cluster.topology().contains(task.node())
        && cluster.index().health(cluster.topology().position(task.node())) == NodeHealth.UP
        && task.gpuIds().noneMatch(cluster::isLost);
  }

  /** Returns true if a placement uses a reserved GPU. */
  public boolean isIn(Placement placement) {
    return slot.filter(kept -> ReservationHolds.sharesGpu(kept.placement(), placement)).isPresent();
  }
}
