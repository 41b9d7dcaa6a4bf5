package io.github.liquidscheduler.scheduler.backfill;

import io.github.liquidscheduler.cluster.Placement;
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

/** What is announced to be reserved, in the order of announcement. Mutable. */
public final class AdvanceReservations {

  private List<Announced> all;

  AdvanceReservations(List<Announced> all) {
    this.all = List.copyOf(all);
  }

  /** Returns what is announced and has not ended; a value that does not change. */
  public List<Announced> all() {
    return all;
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  /** Returns what is announced under an id, if it has not ended. */
  public Optional<AdvanceReservation> find(ReservationId id) {
    return all.stream()
        .filter(each -> each.id().equals(id))
        .map(Announced::reservation)
        .findFirst();
  }

  /** Adds what is announced, in the place of what had its id before. */
  public void announce(AdvanceReservation reservation) {
    if (find(reservation.id()).isPresent()) {
      update(reservation.id(), before -> Announced.of(reservation));
    } else {
      all = Stream.concat(all.stream(), Stream.of(Announced.of(reservation))).toList();
    }
  }

  /** Removes what was announced under an id. */
  public void cancel(ReservationId id) {
    remove(each -> each.id().equals(id));
  }

  /** Notes that who was still there when it began has been looked at. */
  public void begin(ReservationId id) {
    update(id, Announced::begun);
  }

  void keep(ReservationId id, Optional<Slot<Placement>> slot) {
    update(id, before -> before.in(slot));
  }

  /** Takes back what has been changed of one. */
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

  /** Returns all of it for embedders. */
  public List<ReservationStatus> statuses() {
    return all.stream().map(AdvanceReservations::status).toList();
  }

  private static ReservationStatus status(Announced each) {
    return new ReservationStatus(
        each.reservation(), each.heldFrom(), each.slot().map(Slot::placement));
  }

  /**
   * Returns when the next one begins or ends after an instant, if one does. One that begins at this
   * very instant does so once all else has been reported that happens at it.
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
