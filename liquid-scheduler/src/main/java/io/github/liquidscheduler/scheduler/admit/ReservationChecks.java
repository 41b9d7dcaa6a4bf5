package io.github.liquidscheduler.scheduler.admit;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.scheduler.backfill.AdvanceReservations;
import io.github.liquidscheduler.scheduler.backfill.BackfillPlan;
import io.github.liquidscheduler.scheduler.state.SchedulerState;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import io.github.liquidscheduler.scheduling.AdvanceReservation;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.ReservationId;
import java.time.Instant;
import java.util.List;

/** Rejects advance reservations that cannot be satisfied. */
record ReservationChecks(SchedulerState state, Feasibility feasibility) {

  /**
   * Checks an announced reservation.
   *
   * @throws IllegalArgumentException if there is no timeline, its id is taken, it begins before it
   *     is announced, or it names a node or requests capacity that the cluster does not have
   */
  void requireNew(ClusterEvent.ReservationAnnounced event) {
    AdvanceReservation reservation = event.reservation();
    if (advance().find(reservation.id()).isPresent()) {
      throw new IllegalArgumentException(
          "a reservation must have an id of its own, but '%s' is announced already. Use ReservationChanged"
              .formatted(reservation.id()));
    }
    if (reservation.from().isBefore(event.at())) {
      throw beginsBefore(reservation, event.at());
    }
    requirePossible(reservation);
  }

  /**
   * Checks a changed reservation.
   *
   * @throws IllegalArgumentException if it is unknown or has ended, it begins before the change and
   *     not when it did before, or it names a node or requests capacity that the cluster does not
   *     have
   */
  void requireChange(ClusterEvent.ReservationChanged event) {
    AdvanceReservation reservation = event.reservation();
    AdvanceReservation before = requireKnown(reservation.id());
    if (reservation.from().isBefore(event.at()) && !reservation.from().equals(before.from())) {
      throw beginsBefore(reservation, event.at());
    }
    if (!reservation.until().isAfter(event.at())) {
      throw new IllegalArgumentException(
          "a reservation must end after it is changed, at %s, but until was %s, for reservation '%s'"
              .formatted(event.at(), reservation.until(), reservation.id()));
    }
    requirePossible(reservation);
  }

  /**
   * Returns the announced reservation of an id.
   *
   * @throws IllegalArgumentException if it is unknown or has ended
   */
  AdvanceReservation requireKnown(ReservationId id) {
    return advance()
        .find(id)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "a reservation must be announced and not have ended, but '%s' is not such"
                        .formatted(id)));
  }

  private static IllegalArgumentException beginsBefore(
      AdvanceReservation reservation, Instant announced) {
    return new IllegalArgumentException(
        "a reservation must not begin before it is announced, at %s, but was from %s, for reservation '%s'"
            .formatted(announced, reservation.from(), reservation.id()));
  }

  private AdvanceReservations advance() {
    return state
        .backfill()
        .map(BackfillPlan::advance)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "advance reservations need the timeline of backfill, which is off. Use"
                        + " backfill(Backfill.easy()), or NodeDraining with a deadline"));
  }

  private void requirePossible(AdvanceReservation reservation) {
    if (reservation.from().isAfter(GpuTime.LATEST)) {
      throw new IllegalArgumentException(
          "a reservation must begin before the year 2262, but was from %s, for reservation '%s'"
              .formatted(reservation.from(), reservation.id()));
    }
    switch (reservation) {
      case AdvanceReservation.Maintenance maintenance ->
          maintenance.nodes().forEach(node -> requireNode(node, maintenance));
      case AdvanceReservation.Capacity capacity -> requireCapacity(capacity);
    }
  }

  private void requireNode(NodeId node, AdvanceReservation.Maintenance maintenance) {
    if (!state.cluster().topology().contains(node)) {
      throw new IllegalArgumentException(
          "maintenance must be of nodes of the cluster, but '%s' is none, for reservation '%s'"
              .formatted(node, maintenance.id()));
    }
  }

  private void requireCapacity(AdvanceReservation.Capacity capacity) {
    List<UnmetConstraint> unmet = feasibility.unmetConstraints(capacity.shape());
    if (!unmet.isEmpty()) {
      throw new IllegalArgumentException(
          "reserved capacity must fit into the cluster when it is empty, but does not (%s), for reservation '%s'"
              .formatted(unmet.getFirst().describe(), capacity.id()));
    }
  }
}
