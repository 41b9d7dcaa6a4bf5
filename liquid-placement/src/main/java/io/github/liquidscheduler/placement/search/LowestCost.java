package io.github.liquidscheduler.placement.search;

import io.github.liquidscheduler.placement.gang.GangShape;
import io.github.liquidscheduler.placement.gang.Picks;
import io.github.liquidscheduler.placement.network.IncrementalCost;
import java.util.List;

/** The lowest cost that a search has come by, and whether it is worth looking for a lower one. */
final class LowestCost {

  /** What costs so little more than on an idle network is good enough. */
  private static final double TOLERANCE = 1.005;

  private final GangShape gang;
  private final IncrementalCost cost;
  private double lowest = Double.POSITIVE_INFINITY;
  private double uncontended = Double.POSITIVE_INFINITY;

  LowestCost(GangShape gang, IncrementalCost cost) {
    this.gang = gang;
    this.cost = cost;
  }

  /** Returns the lowest cost so far; positive infinity at first. */
  double value() {
    return lowest;
  }

  /** Notes the cost of the candidate as it is now, and returns whether it is a new lowest. */
  boolean isLoweredNow() {
    double now = cost.cost();
    uncontended = Math.min(uncontended, cost.uncontendedCost());
    if (now >= lowest) {
      return false;
    }
    lowest = now;
    return true;
  }

  /** Makes these picks the candidate; then as {@link #isLoweredNow()}. */
  boolean isLoweredBy(List<Picks.Pick> picks) {
    cost.clear();
    for (Picks.Pick pick : picks) {
      cost.add(pick.node(), gang.roleOf(pick.task()), pick.count());
    }
    return isLoweredNow();
  }

  /** Notes a lower cost that was found otherwise. */
  void lowerTo(double cost) {
    lowest = cost;
  }

  /**
   * Returns whether it is not worth looking for a lower cost.
   *
   * @param isIdleBestKnown whether what is cheapest on an idle network was among the candidates, so
   *     that little more than that is good enough; else only what nothing can cost less than is
   */
  boolean isGoodEnough(boolean isIdleBestKnown) {
    return lowest <= cost.lowerBound() || (isIdleBestKnown && lowest <= uncontended * TOLERANCE);
  }
}
