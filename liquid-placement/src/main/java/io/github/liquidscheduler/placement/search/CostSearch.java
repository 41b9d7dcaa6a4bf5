package io.github.liquidscheduler.placement.search;

import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.placement.gang.GangShape;
import io.github.liquidscheduler.placement.gang.Picks;
import io.github.liquidscheduler.placement.network.IncrementalCost;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Searches for a cheaper placement of a gang than the first one found. Each domain is filled from
 * its fastest sufficient links, then again with slower ones, of which fewer or less loaded ones may
 * suffice; the best placement is then improved by moving tasks. The search ends at a placement that
 * costs hardly more than without other traffic, and otherwise after a fixed amount of work.
 */
final class CostSearch {

  /** Links are allowed up to these multiples of the capacity needed: the more, the slower. */
  private static final double[] CAPACITY_FACTORS = {1, 1.25, 1.7, 3, 6};

  /** Hosts looked at and links scored by all fills together. */
  private static final int EFFORT = 7_000;

  private final GangShape gang;
  private final IncrementalCost cost;
  private final LowestCost lowest;
  private final CandidateDomains domains;
  private final Assignment assignment;
  private final HostChoice hosts;
  private final DomainFill fill;
  private int[] best = {};
  private int scored;

  /** Whether the cheapest placement on an idle network was tried. */
  private boolean isIdleBestKnown;

  /** Makes a search that starts from the current candidate, whose cost is the lowest. */
  CostSearch(GangShape gang, IncrementalCost cost, LowestCost lowest, CandidateDomains domains) {
    this.gang = gang;
    this.cost = cost;
    this.lowest = lowest;
    this.domains = domains;
    isIdleBestKnown = !gang.mayStandApart();
    cost.fixTrafficProfile();
    assignment = new Assignment(gang, domains.feasibleNodes(cost), cost);
    hosts = new HostChoice(gang, assignment);
    fill = new DomainFill(gang, assignment, hosts);
  }

  /** Returns picks of a cheaper placement, without GPUs, or {@code start} if none was found. */
  List<Picks.Pick> from(List<Picks.Pick> start) {
    if (isAssigned(start)) {
      best = assignment.save();
    }
    for (CandidateDomains.Range range : domains.ranges()) {
      int first = assignment.feasible().firstHost(range.nodes());
      int end = assignment.feasible().endHost(range.nodes());
      if (first < end && !isOver()) {
        fill(first, end);
      }
    }
    if (best.length > 0 && !isGoodEnough()) {
      improve();
    }
    return best.length == 0 ? start : assignment.picks(best);
  }

  /** Assigns the tasks as in the first placement, if the feasible nodes hold them. */
  private boolean isAssigned(List<Picks.Pick> start) {
    assignment.clear();
    for (Picks.Pick pick : start) {
      int host = assignment.feasible().hostOn(pick.node());
      int role = gang.roleOf(pick.task());
      if (host < 0 || assignment.fitting(host, role) < pick.count()) {
        return false;
      }
      assignment.add(host, role, pick.count());
    }
    return true;
  }

  private boolean isGoodEnough() {
    return lowest.isGoodEnough(isIdleBestKnown);
  }

  private boolean isOver() {
    return isGoodEnough() || hosts.looked() + scored > EFFORT;
  }

  private void fill(int first, int end) {
    double before = -1;
    double[] limits = transferLimits(first, end);
    boolean isHopeless = cost.costAt(limits[0]) > lowest.value();
    for (double limit : limits) {
      if (limit > before && !isHopeless && !isOver()) {
        before = limit;
        fill(first, end, limit);
      }
    }
  }

  private void fill(int first, int end, double slowest) {
    if (hosts.choose(first, end, slowest)) {
      assign();
    }
    if (hosts.chooseScattered(first, end, slowest)) {
      assign();
    }
  }

  private void assign() {
    if (gang.isInterleaved()) {
      assign(fill::assignInTurn);
    }
    if (gang.mayStandApart()) {
      assign(fill::assignBesideFirst);
      assign(fill::assignOneEach);
      isIdleBestKnown = true;
    }
    assign(fill::assignByRole);
  }

  /** Keeps the result of a way to assign the gang if it is cheaper than all before. */
  private void assign(BooleanSupplier way) {
    assignment.clear();
    if (way.getAsBoolean()) {
      scored += cost.links();
      best = lowest.isLoweredNow() ? assignment.save() : best;
    }
  }

  /**
   * Returns the limits of transfer seconds, ascending, at which the links allowed have the
   * multiples of the capacity needed; infinite at last.
   */
  private double[] transferLimits(int first, int end) {
    FeasibleNodes feasible = assignment.feasible();
    double[] limits = new double[CAPACITY_FACTORS.length + 1];
    Arrays.fill(limits, Double.POSITIVE_INFINITY);
    long capacity = 0;
    int next = 0;
    double slowest = 0;
    for (int host : FeasibleNodes.sortedBy(first, end, feasible::transferSeconds)) {
      capacity += hosts.capacity(host);
      slowest = Math.max(slowest, feasible.transferSeconds(host));
      while (next < CAPACITY_FACTORS.length && capacity >= CAPACITY_FACTORS[next] * hosts.need()) {
        limits[next++] = slowest;
      }
    }
    return limits;
  }

  private void improve() {
    assignment.restore(best);
    NodeRange range = domains.widestAround(assignment.feasible().node(best[0]));
    boolean helped =
        cost.allowsOverfullNodes()
            ? new TaskMoves(assignment, cost, range).lower(lowest.value())
            : new RoleMoves(assignment, lowest, range).lower();
    if (helped) {
      best = assignment.save();
      lowest.lowerTo(cost.cost());
    }
  }
}
