package io.github.liquidscheduler.placement.timeline;

/**
 * The rule by which jobs may start behind one that does not fit, and the number of reservations.
 *
 * @param reservations the number of waiting jobs that hold one, the first of the queue; from 0. A
 *     job keeps its reservation when others come before it
 * @param allowsBypass whether jobs without one may start if no reservation is in the way
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

  /** Returns first in, first out: no job starts before the head of the queue. */
  public static BackfillRule fifo() {
    return new BackfillRule(0, false);
  }

  /** Returns first in, first out with bypass: any job that fits starts, and nothing is reserved. */
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
