package io.github.liquidscheduler.placement.search;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.cost.NetworkParameters;
import io.github.liquidscheduler.placement.gang.BestFitPlacer;
import io.github.liquidscheduler.placement.gang.DevicePicker;
import io.github.liquidscheduler.placement.gang.FirstFitCollector;
import io.github.liquidscheduler.placement.gang.GangSearch;
import io.github.liquidscheduler.placement.gang.GangShape;
import io.github.liquidscheduler.placement.gang.Picks;
import io.github.liquidscheduler.placement.gang.UnmetConstraintSearch;
import io.github.liquidscheduler.placement.network.IncrementalCost;
import io.github.liquidscheduler.placement.network.LinkLoads;
import io.github.liquidscheduler.placement.network.NetworkModel;
import io.github.liquidscheduler.placement.network.PhysicalCost;
import io.github.liquidscheduler.placement.network.PlacementCost;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.List;
import java.util.Optional;

/**
 * Places a gang where its traffic costs least: its own iterations and those of the jobs whose links
 * it shares. Everything that {@link BestFitPlacer} respects is respected here too, and a job that
 * sends nothing goes where that one puts it.
 *
 * <p>What fits on one node, or within the preferred level, stays there. Otherwise the place that
 * best fit finds is where the search begins: the few tightest domains of the narrowest level that
 * holds the gang, and fewer of each wider level allowed, are filled again from fast links that
 * contention few others, and the cheapest place is improved by moving tasks. The search ends early
 * at a place that is good enough. Work is limited in links scored, never in time, so equal calls
 * give equal places. Gangs of slices, spread gangs and shares of GPUs are looked for by a walk over
 * the index instead, from quiet nodes, half quiet ones and all.
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
    FirstFitCollector first = new FirstFitCollector();
    new GangSearch(index, gang, widest, first).run();
    if (first.picks().isEmpty()) {
      return Optional.empty();
    }
    if (isOnOneNode(first.picks()) || job.communication() instanceof Communication.None) {
      return Optional.of(Picks.placement(index, gang, first.picks()));
    }
    LinkLoads loads = view instanceof ClusterState ? state.loads() : shownBy(view);
    IncrementalCost cost =
        model
            .on(loads.model(), loads)
            .forJob(job)
            .incremental(index.topology().nodes().size(), job.roles().size());
    List<Picks.Pick> picks =
        gang.mayMoveTasks()
            ? searched(index, gang, cost, first, widest)
            : walked(index, gang, loads, cost, widest);
    return Optional.of(placement(index, gang, picks));
  }

  /** Returns the cheapest place found from the first one on. */
  private List<Picks.Pick> searched(
      CapacityIndex index,
      GangShape gang,
      IncrementalCost cost,
      FirstFitCollector first,
      int widest) {
    CostSearch search = new CostSearch(gang, cost, goodEnough);
    return search.isGoodEnough(first.picks())
        ? first.picks()
        : search.from(first.picks(), new CandidateDomains(index, gang, first, widest));
  }

  private static boolean isOnOneNode(List<Picks.Pick> picks) {
    return picks.stream().allMatch(pick -> pick.node() == picks.getFirst().node());
  }

  /** Returns the cheapest of the places that a walk over the index comes by. */
  private List<Picks.Pick> walked(
      CapacityIndex index, GangShape gang, LinkLoads loads, IncrementalCost cost, int widest) {
    CheapestCollector cheapest = new CheapestCollector(index, gang, loads, cost, goodEnough);
    new GangSearch(index, gang, widest, cheapest).run();
    return cheapest.picks();
  }

  @Override
  public List<UnmetConstraint> unmetConstraints(ClusterView view, JobSpec job) {
    return place(view, job).isPresent()
        ? List.of()
        : new UnmetConstraintSearch(this, ClusterState.copyOf(view), job).find();
  }

  private static Placement placement(CapacityIndex index, GangShape gang, List<Picks.Pick> found) {
    Picks picks = new Picks(index);
    DevicePicker devices = new DevicePicker(index);
    try {
      for (Picks.Pick pick : found) {
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
}
