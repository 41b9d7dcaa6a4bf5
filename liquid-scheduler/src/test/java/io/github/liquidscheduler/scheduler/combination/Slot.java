package io.github.liquidscheduler.scheduler.combination;

import java.util.Locale;

/** A place for one feature in a scheduler. Features of one slot are alternatives, not pairs. */
enum Slot {
  ORDER,
  TREE,
  BACKFILL,
  BATCH_WINDOW,
  ELASTICITY,
  CO_LOCATION,
  MOVES,
  SPEEDS,
  DEADLINES,
  PREFETCH,
  GRACE_PERIOD,
  BOUNDS,
  ROUNDS;

  /** Returns the name for people. */
  String label() {
    return this == CO_LOCATION ? "co-location" : name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
