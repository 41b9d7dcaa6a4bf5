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
 * Keeps the few cheapest of the places found; of equal ones the first. Domains are filled from
 * nodes with quiet network cards first, then from busier ones, then from all: the slowest link
 * decides, so one busy node spoils a place however good the others are.
 */
final class Cheapest implements Verdict {

  private static final int DOMAINS_WORTH_A_LOOK = 6;
  private static final int KEPT = 3;
  private static final List<Double> LOADS = List.of(0.0, 0.5, 1.0, 1.5, Double.MAX_VALUE);

  private final CapacityIndex index;
  private final GangShape gang;
  private final JobCost cost;
  private final double goodEnough;
  private final List<IntPredicate> nodeChoices;
  private final TaskCounts counts;
  private final List<Found> found = new ArrayList<>();

  Cheapest(CapacityIndex index, GangShape gang, LinkLoads loads, JobCost cost, double goodEnough) {
    this.index = index;
    this.gang = gang;
    this.cost = cost;
    this.goodEnough = goodEnough;
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
    return found.getFirst().cost() <= goodEnough;
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
    var candidate = index.topology().nodes().get(node);
    double load = loads.nicLoad(candidate.id()).bytesPerSecond();
    return load <= part * candidate.nic().bandwidth().bytesPerSecond();
  }
}
