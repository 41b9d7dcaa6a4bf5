package io.github.liquidscheduler.placement.immediate;

import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.network.LinkLoads;
import io.github.liquidscheduler.placement.network.PlacementCost.JobCost;
import io.github.liquidscheduler.placement.network.TaskCounts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Keeps the few cheapest of the places found; of equal ones the first. Domains are filled from all
 * nodes first, then from those with quiet network cards, then from busier ones: the slowest link
 * decides, so one busy node spoils a place however good the others are. The search ends at a place
 * that costs about as little as the best of those found would on an idle network, unless some
 * domains have NVLink between their nodes and others do not.
 */
final class Cheapest implements Verdict {

  private static final int DOMAINS_WORTH_A_LOOK = 6;
  private static final int KEPT = 3;
  private static final List<Double> LOADS = List.of(Double.MAX_VALUE, 0.0, 0.5, 1.0, 1.5);

  /** A place this close to what it would cost on an idle network is not worth a further search. */
  private static final double TOLERANCE = 1.005;

  private final CapacityIndex index;
  private final GangShape gang;
  private final JobCost cost;
  private final double goodEnough;
  private final List<IntPredicate> nodeChoices;
  private final TaskCounts counts;
  private final List<Found> found = new ArrayList<>();
  private final boolean mayDiffer;
  private double quiet = Double.POSITIVE_INFINITY;

  Cheapest(CapacityIndex index, GangShape gang, LinkLoads loads, JobCost cost, double goodEnough) {
    this.index = index;
    this.gang = gang;
    this.cost = cost;
    this.goodEnough = goodEnough;
    mayDiffer = goodEnough == 0 && loads.model().hasFabricDomains();
    counts = new TaskCounts(index.topology().nodes().size(), gang.job().roles().size());
    nodeChoices =
        LOADS.stream()
            .<IntPredicate>map(part -> node -> isLoadedAtMost(loads, node, part))
            .toList();
  }

  /** Returns the cheapest places found, the cheapest first. */
  List<Found> found() {
    return found;
  }

  /**
   * A place.
   *
   * @param cost what it costs
   * @param picks its picks
   * @param range the nodes it is among
   */
  record Found(double cost, List<Picks.Pick> picks, NodeRange range) {}

  @Override
  public boolean isFinal(Picks picks, NodeRange range) {
    counts.clear();
    List<Picks.Pick> all = picks.all();
    for (Picks.Pick pick : all) {
      counts.add(pick.node(), gang.roleOf(pick.task()), pick.count());
    }
    double price = cost.of(counts);
    if (found.stream().noneMatch(other -> other.cost() == price)) {
      found.add(new Found(price, all, range));
      found.sort(Comparator.comparingDouble(Found::cost));
      if (found.size() > KEPT) {
        found.removeLast();
      }
    }
    quiet = Math.min(quiet, cost.quiet(counts));
    return !mayDiffer && isGoodEnough(found.getFirst());
  }

  /** Returns whether looking further is not worth it. */
  boolean isGoodEnough(Found place) {
    return place.cost() <= Math.max(goodEnough, quiet * TOLERANCE);
  }

  @Override
  public List<IntPredicate> nodeChoices() {
    return nodeChoices;
  }

  @Override
  public int domainsWorthALook() {
    return DOMAINS_WORTH_A_LOOK;
  }

  @Override
  public boolean isWiderLevelWorthALook() {
    return true;
  }

  private boolean isLoadedAtMost(LinkLoads loads, int node, double part) {
    return part == Double.MAX_VALUE
        || loads.nicLoad(node)
            <= part * index.topology().nodes().get(node).nic().bandwidth().bytesPerSecond();
  }
}
