package io.github.liquidscheduler.scheduler.order;

import java.util.Comparator;

/** Which jobs of its own queue a waiting job may have stopped. */
public enum RankRule {
  /** None. */
  NONE,
  /** Those of lower rank. */
  LOWER,
  /** Those of lower rank, and those of equal rank that were submitted later. */
  LOWER_OR_NEWER;

  private static final Comparator<TakingUnit> BY_AGE =
      Comparator.comparingLong(TakingUnit::rank)
          .thenComparingLong(TakingUnit::sequence)
          .thenComparingInt(TakingUnit::part);

  private static final Comparator<TakingUnit> BY_SIZE =
      Comparator.comparingLong(TakingUnit::rank)
          .thenComparing(RankRule::compareSizes)
          .thenComparingLong(TakingUnit::sequence)
          .thenComparingInt(TakingUnit::part);

  /**
   * Returns the order in which units of a queue fill its entitlement: by rank; of equal ranks the
   * largest first, so that a small one is beyond rather than a large one, unless age gives a right.
   */
  Comparator<TakingUnit> filling() {
    return this == LOWER_OR_NEWER ? BY_AGE : BY_SIZE;
  }

  private static int compareSizes(TakingUnit one, TakingUnit other) {
    int larger = 0;
    for (int resource = 0; larger == 0 && resource < one.amounts().resources(); resource++) {
      larger = Long.compare(other.amounts().get(resource), one.amounts().get(resource));
    }
    return larger;
  }

  boolean allows(TakingUnit taker, TakingUnit giver) {
    return switch (this) {
      case NONE -> false;
      case LOWER -> taker.rank() < giver.rank();
      case LOWER_OR_NEWER ->
          taker.rank() < giver.rank()
              || (taker.rank() == giver.rank() && taker.sequence() < giver.sequence());
    };
  }
}
