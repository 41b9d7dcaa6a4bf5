package io.github.liquidscheduler.placement.search;

import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.gang.GangShape;
import io.github.liquidscheduler.placement.gang.Picks;
import io.github.liquidscheduler.placement.gang.PlacementCollector;
import io.github.liquidscheduler.placement.network.IncrementalCost;
import io.github.liquidscheduler.placement.network.LinkLoads;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Keeps the cheapest of the places found; of equal ones the first. Domains are filled from all
 * nodes first, then from those with quiet network cards, then from busier ones: the slowest link
 * decides, so one busy node spoils a place however good the others are. The search ends at a place
 * that costs about as little as the best of those found would on an idle network, if links of one
 * level are alike.
 */
final class CheapestCollector implements PlacementCollector {

  private static final int DOMAINS_WORTH_A_LOOK = 6;
  private static final List<Double> LOADS = List.of(Double.MAX_VALUE, 0.0, 0.5, 1.0, 1.5);

  /** A place this close to what it would cost on an idle network is not weight a further search. */
  private static final double TOLERANCE = 1.005;

  private final CapacityIndex index;
  private final GangShape gang;
  private final IncrementalCost cost;
  private final double goodEnough;
  private final List<IntPredicate> nodeChoices;
  private List<Picks.Pick> picks = List.of();
  private double lowest = Double.POSITIVE_INFINITY;
  private double quiet = Double.POSITIVE_INFINITY;

  CheapestCollector(
      CapacityIndex index,
      GangShape gang,
      LinkLoads loads,
      IncrementalCost cost,
      double goodEnough) {
    this.index = index;
    this.gang = gang;
    this.cost = cost;
    this.goodEnough = goodEnough;
    nodeChoices =
        LOADS.stream()
            .<IntPredicate>map(part -> node -> isLoadedAtMost(loads, node, part))
            .toList();
  }

  /** Returns the picks of the cheapest place; empty if there is none. */
  List<Picks.Pick> picks() {
    return picks;
  }

  @Override
  public boolean isFinal(Picks found, NodeRange range) {
    List<Picks.Pick> all = found.all();
    cost.clear();
    for (Picks.Pick pick : all) {
      cost.add(pick.node(), gang.roleOf(pick.task()), pick.count());
    }
    double price = cost.cost();
    if (picks.isEmpty() || price < lowest) {
      lowest = price;
      picks = all;
    }
    quiet = Math.min(quiet, cost.quiet());
    return lowest <= Math.max(goodEnough, quiet * TOLERANCE);
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
