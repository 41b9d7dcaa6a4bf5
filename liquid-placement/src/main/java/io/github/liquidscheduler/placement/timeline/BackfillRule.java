package io.github.liquidscheduler.placement.timeline;

/**
 * Who may start behind a job that does not fit, and how many waiting jobs hold a reservation.
 *
 * @param reservations how many waiting jobs hold one, the first in the queue; from 0. Who holds one
 *     keeps it when others come before it
 * @param allowsBypass whether jobs without one may start where no reservation is in the way
 */
public record BackfillRule(int reservations, boolean allowsBypass) {

  /**
   * Checks the range.
   *
   * @throws IllegalArgumentException if {@code reservations} is negative
   */
  public BackfillRule {
    if (reservations < 0) {
      throw new IllegalArgumentException(
          "reservations must be at least 0, but were " + reservations);
    }
  }

  /** Returns first in, first out: nobody starts before the head of the queue. */
  public static BackfillRule fifo() {
    return new BackfillRule(0, false);
  }

  /** Returns first in, first out with bypass: whoever fits starts, and nothing is reserved. */
  public static BackfillRule bestEffortFifo() {
    return new BackfillRule(0, true);
  }

  /** Returns EASY backfill: the head of the queue holds a reservation (Lifka 1995). */
  public static BackfillRule easy() {
    return reserving(1);
  }

  /** Returns backfill around reservations of the first jobs of the queue. */
  public static BackfillRule reserving(int reservations) {
    return new BackfillRule(reservations, true);
  }

  /** Returns conservative backfill: every job holds one (Mu'alem and Feitelson 2001). */
  public static BackfillRule conservative() {
    return reserving(Integer.MAX_VALUE);
  }
}
