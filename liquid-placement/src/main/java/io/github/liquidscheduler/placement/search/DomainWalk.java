package io.github.liquidscheduler.placement.search;

import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.gang.GangFill;
import io.github.liquidscheduler.placement.gang.GangSearch.Found;
import io.github.liquidscheduler.placement.gang.GangShape;
import io.github.liquidscheduler.placement.gang.Picks;
import io.github.liquidscheduler.placement.network.LinkLoads;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * Searches for a cheaper placement of a gang whose tasks may not move one by one: slices, a spread
 * gang, or shares of GPUs. Domains are filled from all nodes first, then from those with idle
 * network cards, then from busier ones: the slowest link decides, so one busy node spoils a
 * placement however good the others are.
 */
final class DomainWalk {

  /** The largest load of a network card in parts of its bandwidth, fill by fill. */
  private static final double[] LOADS = {Double.POSITIVE_INFINITY, 0.0, 0.5, 1.0, 1.5};

  private final List<GangFill> fills;
  private final LowestCost lowest;
  private List<Picks.Pick> best = List.of();

  DomainWalk(CapacityIndex index, GangShape gang, LinkLoads loads, LowestCost lowest) {
    this.lowest = lowest;
    fills =
        DoubleStream.of(LOADS)
            .mapToObj(most -> new GangFill(index, gang, node -> isIdle(index, loads, node, most)))
            .toList();
  }

  private static boolean isIdle(CapacityIndex index, LinkLoads loads, int position, double most) {
    Node node = index.topology().nodes().get(position);
    return most == Double.POSITIVE_INFINITY
        || loads.nicLoad(position) <= most * node.nic().bandwidth().bytesPerSecond();
  }

  /** Returns the cheapest picks found in the domains, GPUs included, or those of {@code start}. */
  List<Picks.Pick> from(Found start, CandidateDomains domains) {
    best = start.picks();
    for (CandidateDomains.Range domain : domains.ranges()) {
      boolean fits = !lowest.isGoodEnough(true) && offer(fills.getFirst(), domain, start);
      boolean isOneNode = domain.nodes().size() == 1;
      for (int i = 1; fits && !isOneNode && i < fills.size() && !lowest.isGoodEnough(true); i++) {
        offer(fills.get(i), domain, start);
      }
    }
    return best;
  }

  /** Offers the results of a fill of the domain, and returns true if there are any. */
  private boolean offer(GangFill fill, CandidateDomains.Range domain, Found start) {
    List<Picks.Pick> inTurn = fill.fillInTurn(domain.nodes(), start.pools());
    boolean fits = offer(inTurn);
    return lowest.isGoodEnough(true)
        || offer(fill.fillByRole(domain.nodes(), domain.level(), start.pools()))
        || fits;
  }

  private boolean offer(List<Picks.Pick> picks) {
    if (!picks.isEmpty() && lowest.isLoweredBy(picks)) {
      best = picks;
    }
    return !picks.isEmpty();
  }
}
