package io.github.liquidscheduler.placement.immediate;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.network.LinkLoads;
import io.github.liquidscheduler.placement.network.NetworkModel;
import io.github.liquidscheduler.placement.network.NetworkParameters;
import io.github.liquidscheduler.placement.network.PhysicalCost;
import io.github.liquidscheduler.placement.network.PlacementCost;
import io.github.liquidscheduler.placement.network.PlacementCost.JobCost;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.scheduling.Shortfall;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Places a gang where its traffic costs least: its own iterations and those of the jobs whose links
 * it shares. Everything that {@link GangPlacer} respects is respected here too, and a job that
 * sends nothing goes where that one puts it.
 *
 * <p>Candidates come from the same walk over the index: the few tightest domains of the narrowest
 * level that holds the gang and of the next wider one, each filled from quiet nodes, from half
 * quiet ones and from all. The cheapest is then improved by swapping single nodes. The search ends
 * early at a place that is good enough. What fits on one node, or within the preferred level, stays
 * there.
 */
public final class LeastCostPlacer implements Placer {

  private final CostModel model;
  private final double goodEnough;

  private LeastCostPlacer(CostModel model, double goodEnough) {
    this.model = model;
    this.goodEnough = goodEnough;
  }

  /** Returns a placer that counts seconds, as the physical network model does. */
  public static LeastCostPlacer physical() {
    return of(PhysicalCost::of);
  }

  /** Returns a placer that counts what {@code model} counts. */
  public static LeastCostPlacer of(CostModel model) {
    return new LeastCostPlacer(model, 0);
  }

  /**
   * Returns this placer content with the first place that costs at most {@code cost}, to trade
   * quality for time; 0 by default.
   *
   * @throws IllegalArgumentException if {@code cost} is negative or not a number
   */
  public LeastCostPlacer contentWith(double cost) {
    if (!(cost >= 0)) {
      throw new IllegalArgumentException(
          "the cost that is good enough must not be negative, but was " + cost);
    }
    return new LeastCostPlacer(model, cost);
  }

  /** How places are priced. */
  @FunctionalInterface
  public interface CostModel {

    /** Returns the cost on a cluster whose links carry {@code loads}. */
    PlacementCost on(NetworkModel network, LinkLoads loads);
  }

  @Override
  public Optional<Placement> place(ClusterView view, JobSpec job) {
    ClusterState state = ClusterState.of(view);
    CapacityIndex index = state.index();
    GangShape gang = new GangShape(job, index);
    if (!index.topology().levels().containsAll(gang.levels())) {
      return Optional.empty();
    }
    String required = job.topology().required().orElse(ClusterTopology.CLUSTER);
    int widest = index.topology().levelPosition(required).orElse(0);
    if (job.communication() instanceof Communication.None) {
      FirstFound first = new FirstFound(gang);
      new GangSearch(index, gang, widest, first).run();
      return Optional.ofNullable(first.placement());
    }
    LinkLoads loads = view instanceof ClusterState ? state.loads() : shownBy(view);
    JobCost cost = model.on(loads.model(), loads).forJob(job);
    Cheapest cheapest = new Cheapest(index, gang, loads, cost, goodEnough);
    new GangSearch(index, gang, widest, cheapest).run();
    List<Cheapest.Found> found = cheapest.found();
    if (!found.isEmpty() && cheapest.isGoodEnough(found.getFirst())) {
      return Optional.of(placement(index, gang, found.getFirst()));
    }
    Improvement improvement = new Improvement(index, gang, cost, widest);
    return found.stream()
        .map(improvement::of)
        .min(Comparator.comparingDouble(Cheapest.Found::cost))
        .map(place -> placement(index, gang, place));
  }

  @Override
  public List<Shortfall> shortfalls(ClusterView view, JobSpec job) {
    return place(view, job).isPresent()
        ? List.of()
        : new ShortfallSearch(this, ClusterState.copyOf(view), job).find();
  }

  private static Placement placement(CapacityIndex index, GangShape gang, Cheapest.Found found) {
    Picks picks = new Picks(index);
    DevicePicker devices = new DevicePicker(index);
    try {
      for (Picks.Pick pick : found.picks()) {
        int[] gpus =
            pick.task().isShare()
                ? pick.gpus()
                : devices.pick(pick.pool(), pick.node(), pick.count(), pick.task().gpus());
        picks.take(pick.task(), pick.pool(), pick.node(), pick.count(), gpus);
      }
      return picks.placement(gang);
    } finally {
      picks.undoTo(0);
    }
  }

  private static LinkLoads shownBy(ClusterView view) {
    return LinkLoads.shownBy(view, NetworkModel.of(view.topology(), NetworkParameters.DEFAULT));
  }

  /** Swaps nodes of the places found, within a limit for all of them together. */
  private static final class Improvement {

    /** Nodes scored: well below a millisecond, however large the gang. */
    private static final int EFFORT = 6_000;

    private final CapacityIndex index;
    private final GangShape gang;
    private final JobCost cost;
    private final int widest;
    private int effort = EFFORT;

    Improvement(CapacityIndex index, GangShape gang, JobCost cost, int widest) {
      this.index = index;
      this.gang = gang;
      this.cost = cost;
      this.widest = widest;
    }

    /** Returns the place after swaps near it and then anywhere; half of what is left is for it. */
    Cheapest.Found of(Cheapest.Found place) {
      if (place.picks().size() == 1 || !gang.maySwapNodes()) {
        return place;
      }
      Cheapest.Found near = swapped(place, place.range());
      boolean mayLeave = widest == 0 && gang.preferredLevel() < 0 && near.picks().size() > 1;
      return mayLeave ? swapped(near, new NodeRange(0, index.topology().nodes().size())) : near;
    }

    private Cheapest.Found swapped(Cheapest.Found place, NodeRange range) {
      int share = effort / 2;
      NodeSwaps swaps = new NodeSwaps(index, gang, cost, place, range, share);
      Cheapest.Found improved = swaps.improved();
      effort -= share - swaps.effortLeft();
      return improved;
    }
  }
}
