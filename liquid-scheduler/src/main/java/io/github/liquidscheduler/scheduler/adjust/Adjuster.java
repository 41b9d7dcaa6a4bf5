package io.github.liquidscheduler.scheduler.adjust;

import io.github.liquidscheduler.scheduler.turn.Turn;

/**
 * One kind of change to running jobs. Adjusters run in the order of their list, and each sees the
 * changes of those before. A change must pay for itself, and its decision carries the reason.
 */
public interface Adjuster {

  /** Applies the changes that the turn's event calls for and records their decisions. */
  void adjust(Turn turn);
}
