package io.github.liquidscheduler.scheduling;

import io.github.liquidscheduler.text.Text;

/**
 * The identity of an {@link AdvanceReservation}, unique among those that are announced.
 *
 * @param value the identity, not blank
 */
public record ReservationId(String value) implements Comparable<ReservationId> {

  /**
   * Checks the identity.
   *
   * @throws IllegalArgumentException if {@code value} is blank or not Unicode
   */
  public ReservationId {
    Text.requireName(value, "a reservation id");
  }

  /** Returns the identity {@code value}. */
  public static ReservationId of(String value) {
    return new ReservationId(value);
  }

  @Override
  public int compareTo(ReservationId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
