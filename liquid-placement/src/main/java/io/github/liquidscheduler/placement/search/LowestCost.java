package io.github.liquidscheduler.placement.search;

import io.github.liquidscheduler.placement.gang.GangShape;
import io.github.liquidscheduler.placement.gang.Picks;
import io.github.liquidscheduler.placement.network.IncrementalCost;
import java.util.List;

/** The lowest cost found by a search, and the test if it is good enough. */
final class LowestCost {

  /** A cost up to this multiple of that on an idle network is good enough. */
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

  /** Notes the cost of the current candidate, and returns true if it is a new lowest. */
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

  /** Notes a lower cost found otherwise. */
  void lowerTo(double cost) {
    lowest = cost;
  }

  /**
   * Returns true if a lower cost is not worth a search.
   *
   * @param isIdleBestKnown whether the cheapest candidate on an idle network was tried, so that the
   *     tolerance applies; else only the lower bound is good enough
   */
  boolean isGoodEnough(boolean isIdleBestKnown) {
    return lowest <= cost.lowerBound() || (isIdleBestKnown && lowest <= uncontended * TOLERANCE);
  }
}
