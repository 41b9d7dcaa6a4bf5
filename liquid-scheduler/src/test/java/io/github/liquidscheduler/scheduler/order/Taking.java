package io.github.liquidscheduler.scheduler.order;

import java.util.List;
import java.util.Objects;

/**
 * A start, or a growth, for which others give way.
 *
 * @param winner the unit that starts
 * @param taken the units that are stopped for it, or that jobs shrink by, in order
 * @param moved units that run elsewhere afterwards
 * @param shortage the resources that are short for the winner
 */
public record Taking(
    TakingUnit winner, List<TakingUnit> taken, List<TakingUnit> moved, ScarceResources shortage) {

  /** Copies the units. */
  public Taking {
    Objects.requireNonNull(winner, "winner");
    taken = List.copyOf(taken);
    moved = List.copyOf(moved);
    Objects.requireNonNull(shortage, "shortage");
  }
}
