package io.github.liquidscheduler.scheduling;

import io.github.liquidscheduler.cluster.Placement;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * An advance reservation as it stands.
 *
 * @param reservation what was announced
 * @param heldFrom from when on it is held; of room, empty if none was found, and later than asked
 *     for if it was found only from then on
 * @param room the room that is held; of maintenance always empty
 */
public record ReservationStatus(
    AdvanceReservation reservation, Optional<Instant> heldFrom, Optional<Placement> room) {

  /** Checks that nothing is null. */
  public ReservationStatus {
    Objects.requireNonNull(reservation, "reservation");
    Objects.requireNonNull(heldFrom, "heldFrom");
    Objects.requireNonNull(room, "room");
  }
}
