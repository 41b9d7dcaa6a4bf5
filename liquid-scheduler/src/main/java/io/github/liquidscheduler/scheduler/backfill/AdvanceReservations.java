package io.github.liquidscheduler.scheduler.backfill;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.timeline.Slot;
import io.github.liquidscheduler.scheduling.AdvanceReservation;
import io.github.liquidscheduler.scheduling.ReservationId;
import io.github.liquidscheduler.scheduling.ReservationStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** The announced reservations that have not ended, in order of announcement. Mutable. */
public final class AdvanceReservations {

  private List<Announced> all;

  AdvanceReservations(List<Announced> all) {
    this.all = List.copyOf(all);
  }

  /** Returns the reservations; an immutable snapshot. */
  public List<Announced> all() {
    return all;
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  /** Returns the reservation with the given id, unless it has ended. */
  public Optional<AdvanceReservation> find(ReservationId id) {
    return all.stream()
        .filter(each -> each.id().equals(id))
        .map(Announced::reservation)
        .findFirst();
  }

  /** Returns the reservations of capacity that a job may use. */
  List<ReservationId> usableBy(JobSpec job) {
    return all.stream()
        .map(Announced::reservation)
        .filter(each -> each instanceof AdvanceReservation.Capacity reserved && reserved.isFor(job))
        .map(AdvanceReservation::id)
        .toList();
  }

  /** Adds a reservation, or replaces the one with its id in place. */
  public void announce(AdvanceReservation reservation) {
    if (find(reservation.id()).isPresent()) {
      update(reservation.id(), before -> Announced.of(reservation));
    } else {
      all = Stream.concat(all.stream(), Stream.of(Announced.of(reservation))).toList();
    }
  }

  /** Removes the reservation with the given id, if any. */
  public void cancel(ReservationId id) {
    remove(each -> each.id().equals(id));
  }

  /** Records that the jobs still present at the reservation's beginning were handled. */
  public void begin(ReservationId id) {
    update(id, Announced::begun);
  }

  void keep(ReservationId id, Optional<Slot<Placement>> slot) {
    update(id, before -> before.in(slot));
  }

  /** Restores the given value of a reservation. */
  void putBack(Announced announced) {
    update(announced.id(), any -> announced);
  }

  void remove(Predicate<Announced> which) {
    if (all.stream().anyMatch(which)) {
      all = all.stream().filter(which.negate()).toList();
    }
  }

  private void update(ReservationId id, UnaryOperator<Announced> change) {
    all = all.stream().map(each -> each.id().equals(id) ? change.apply(each) : each).toList();
  }

  /** Returns the reservations as embedders see them. */
  public List<ReservationStatus> statuses() {
    return all.stream().map(AdvanceReservations::status).toList();
  }

  private static ReservationStatus status(Announced each) {
    return new ReservationStatus(
        each.reservation(), each.heldFrom(), each.slot().map(Slot::placement));
  }

  /**
   * Returns the next instant at which a reservation begins or ends. One that begins exactly now is
   * due one nanosecond later, after all other events at this instant.
   */
  public Optional<Instant> nextChange(Instant now) {
    return all.stream().anyMatch(each -> each.isDue(now))
        ? Optional.of(now.plusNanos(1))
        : firstAfter(now);
  }

  private Optional<Instant> firstAfter(Instant now) {
    return statuses().stream()
        .flatMap(
            each ->
                Stream.concat(
                    each.heldFrom().stream(),
                    Stream.of(each.reservation().from(), each.reservation().until())))
        .filter(now::isBefore)
        .min(Instant::compareTo);
  }
}
