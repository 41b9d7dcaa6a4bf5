package io.github.liquidscheduler.scheduling;

import io.github.liquidscheduler.cluster.Placement;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * An advance reservation as it stands.
 *
 * @param heldFrom from when on it is held; of capacity empty if none was found, and later than
 *     requested if it is free only then
 * @param placement the capacity that is held; of maintenance always empty
 */
public record ReservationStatus(
    AdvanceReservation reservation, Optional<Instant> heldFrom, Optional<Placement> placement) {

  /** Checks that nothing is null. */
  public ReservationStatus {
    Objects.requireNonNull(reservation, "reservation");
    Objects.requireNonNull(heldFrom, "heldFrom");
    Objects.requireNonNull(placement, "placement");
  }
}
