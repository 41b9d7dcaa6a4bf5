package io.github.liquidscheduler.scheduler.combination;

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
  /** Not in the matrix: a scheduler always has a placer. */
  PLACER,
  ROUNDS;
}
