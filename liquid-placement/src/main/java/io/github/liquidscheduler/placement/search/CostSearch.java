package io.github.liquidscheduler.placement.search;

import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.placement.gang.GangShape;
import io.github.liquidscheduler.placement.gang.Picks;
import io.github.liquidscheduler.placement.network.IncrementalCost;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Looks for a cheaper place of a gang than the first one found. Each domain is filled from its
 * fastest links that are enough, then again with slower ones allowed, of which fewer or quieter may
 * do; the best place is then improved by moving tasks. What a place costs is worked out from what
 * it differs in. The search ends at a place that costs hardly more than if nobody else sent
 * anything, and otherwise after a fixed amount of work.
 */
final class CostSearch {

  /** A place this close to what it would cost on an idle network is not weight a further search. */
  private static final double TOLERANCE = 1.005;

  /** Links are allowed until they have so many times the room needed: the more, the slower. */
  private static final double[] ROOM = {1, 1.25, 1.7, 3, 6};

  /** Hosts looked at and links scored by all fills together. */
  private static final int EFFORT = 7_000;

  private final GangShape gang;
  private final IncrementalCost cost;
  private final double goodEnough;
  private double lowest = Double.POSITIVE_INFINITY;
  private double quiet = Double.POSITIVE_INFINITY;

  /** Whether the place was tried, too, that costs least on an idle network. */
  private boolean areAllShapesKnown;

  /** Makes a search that ends at a place that costs at most {@code goodEnough}. */
  CostSearch(GangShape gang, IncrementalCost cost, double goodEnough) {
    this.gang = gang;
    this.cost = cost;
    this.goodEnough = goodEnough;
    areAllShapesKnown = !gang.mayStandApart();
  }

  /** Returns whether a place is so good that it is not weight looking for another. */
  boolean isGoodEnough(List<Picks.Pick> start) {
    cost.clear();
    for (Picks.Pick pick : start) {
      cost.add(pick.node(), gang.roleOf(pick.task()), pick.count());
    }
    lowest = cost.cost();
    quiet = cost.quiet();
    return isGoodEnough();
  }

  /**
   * Returns picks of a cheaper place, without GPUs, or {@code start} if none was found.
   *
   * @param start the place asked about last
   */
  List<Picks.Pick> from(List<Picks.Pick> start, CandidateDomains domains) {
    cost.learn();
    return new Walk(domains).from(start);
  }

  private boolean isGoodEnough() {
    return lowest <= goodEnough || (areAllShapesKnown && lowest <= quiet * TOLERANCE);
  }

  /** The way through all domains. */
  private final class Walk {
    private final CandidateDomains domains;
    private final Assignment assignment;
    private final DomainFill fill;
    private int[] best = {};
    private int scored;

    Walk(CandidateDomains domains) {
      this.domains = domains;
      assignment = new Assignment(gang, domains.feasibleNodes(cost), cost);
      fill = new DomainFill(gang, assignment);
    }

    List<Picks.Pick> from(List<Picks.Pick> start) {
      if (isAssigned(start)) {
        best = assignment.save();
      }
      for (NodeRange range : domains.ranges()) {
        int first = assignment.feasible().firstHost(range);
        int end = assignment.feasible().endHost(range);
        if (first < end && !isOver()) {
          fill(first, end);
        }
      }
      if (best.length > 0 && !isGoodEnough()) {
        improve();
      }
      return best.length == 0 ? start : assignment.picks(best);
    }

    /** Assigns the tasks as the first place does, if the feasible nodes hold them. */
    private boolean isAssigned(List<Picks.Pick> start) {
      assignment.clear();
      for (Picks.Pick pick : start) {
        int host = assignment.feasible().hostOn(pick.node());
        int role = gang.roleOf(pick.task());
        if (host < 0 || assignment.room(host, role) < pick.count()) {
          return false;
        }
        assignment.add(host, role, pick.count());
      }
      return true;
    }

    private boolean isOver() {
      return isGoodEnough() || fill.looked() + scored > EFFORT;
    }

    /** Keeps the place as it is now if it is cheaper than all before. */
    private void consider() {
      double price = cost.cost();
      scored += cost.links();
      quiet = Math.min(quiet, cost.quiet());
      if (price < lowest) {
        lowest = price;
        best = assignment.save();
      }
    }

    private void fill(int first, int end) {
      double before = -1;
      double[] paces = paces(first, end);
      boolean isHopeless = cost.costAt(paces[0]) > lowest;
      for (double transferSeconds : paces) {
        if (transferSeconds > before && !isHopeless && !isOver()) {
          before = transferSeconds;
          fill(first, end, transferSeconds);
        }
      }
    }

    private void fill(int first, int end, double transferSeconds) {
      if (fill.choose(first, end, transferSeconds)) {
        assign();
      }
      if (fill.chooseScattered(first, end, transferSeconds)) {
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
        areAllShapesKnown = true;
      }
      assign(fill::assignByRole);
    }

    private void assign(BooleanSupplier way) {
      assignment.clear();
      if (way.getAsBoolean()) {
        consider();
      }
    }

    /**
     * Returns paces of which links that are not slower have enough room, or more; infinite at last.
     */
    private double[] paces(int first, int end) {
      long[] byTransferSeconds = new long[end - first];
      for (int host = first; host < end; host++) {
        float transferSeconds = (float) assignment.feasible().transferSeconds(host);
        byTransferSeconds[host - first] =
            ((long) Float.floatToIntBits(transferSeconds) << 32) | host;
      }
      Arrays.sort(byTransferSeconds);
      double[] paces = new double[ROOM.length + 1];
      Arrays.fill(paces, Double.POSITIVE_INFINITY);
      long room = 0;
      int next = 0;
      double slowest = 0;
      for (long host : byTransferSeconds) {
        room += fill.capacity((int) host);
        slowest = Math.max(slowest, assignment.feasible().transferSeconds((int) host));
        while (next < ROOM.length && room >= ROOM[next] * fill.need()) {
          paces[next++] = slowest;
        }
      }
      return paces;
    }

    private void improve() {
      assignment.restore(best);
      NodeRange range = domains.widestAround(assignment.feasible().node(best[0]));
      TaskMoves moves = new TaskMoves(assignment, cost, range);
      if (moves.lower(lowest)) {
        best = assignment.save();
      }
    }
  }
}
