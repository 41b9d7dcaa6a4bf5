package io.github.liquidscheduler.placement.search;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.cost.CostModel;
import io.github.liquidscheduler.placement.cost.NetworkParameters;
import io.github.liquidscheduler.placement.gang.BestFitPlacer;
import io.github.liquidscheduler.placement.gang.DevicePicker;
import io.github.liquidscheduler.placement.gang.GangPlacer;
import io.github.liquidscheduler.placement.gang.GangSearch;
import io.github.liquidscheduler.placement.gang.GangSearch.Found;
import io.github.liquidscheduler.placement.gang.GangShape;
import io.github.liquidscheduler.placement.gang.Picks;
import io.github.liquidscheduler.placement.network.IncrementalCost;
import io.github.liquidscheduler.placement.network.LinkLoads;
import io.github.liquidscheduler.placement.network.NetworkModel;
import io.github.liquidscheduler.placement.network.PhysicalCost;
import io.github.liquidscheduler.placement.search.CandidateDomains.Limits;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Places a gang at the least cost: by default where its traffic adds the fewest seconds to its own
 * iterations and to those of the jobs whose links it shares. All constraints that {@link
 * BestFitPlacer} respects hold.
 *
 * <p>The search begins at the best-fit placement: the few tightest domains of the narrowest level
 * that holds the gang, and fewer of each wider level allowed, are filled again from nodes that cost
 * little, and the cheapest placement is improved by moving tasks. A gang that fits within the
 * preferred level stays there. Work is limited in candidates, never in time, so equal calls give
 * equal placements. Gangs of slices, spread gangs and shares of GPUs are placed by a walk over the
 * domains instead.
 *
 * <p>Seconds are equal for all placements on one node, and for a job without traffic: there the
 * first one is taken. An embedder's model is asked in these cases too, and single nodes are looked
 * at before domains.
 */
public final class LeastCostPlacer implements GangPlacer {

  private static final Limits MOVABLE = new Limits(24, 3, false);
  private static final Limits PINNED = new Limits(6, 6, false);

  private final @Nullable CostModel model;

  private LeastCostPlacer(@Nullable CostModel model) {
    this.model = model;
  }

  /** Returns a placer with the cost of the physical network model, in seconds. */
  public static LeastCostPlacer physical() {
    return new LeastCostPlacer(null);
  }

  /** Returns a placer that asks {@code model} for every choice. */
  public static LeastCostPlacer of(CostModel model) {
    return new LeastCostPlacer(model);
  }

  @Override
  public Optional<Placement> place(ClusterView view, JobSpec job) {
    ClusterState state = ClusterState.of(view);
    GangShape gang = new GangShape(job, state.index());
    GangSearch search = new GangSearch(state.index(), gang);
    List<Found> starts =
        model == null ? search.first().map(List::of).orElseGet(List::of) : search.firstInEachPool();
    if (starts.isEmpty()) {
      return Optional.empty();
    }
    boolean isAnyAsGood =
        gang.hasParts()
            || (model == null
                && (starts.getFirst().isOnOneNode()
                    || job.communication() instanceof Communication.None));
    return isAnyAsGood
        ? Optional.of(Picks.placement(state.index(), gang, starts.getFirst().picks()))
        : Optional.of(new Attempt(view, state, gang, search).cheapestFrom(starts));
  }

  /** The search for one gang. */
  private final class Attempt {
    private final CapacityIndex index;
    private final GangShape gang;
    private final GangSearch search;
    private final LinkLoads loads;
    private final IncrementalCost cost;

    Attempt(ClusterView view, ClusterState state, GangShape gang, GangSearch search) {
      index = state.index();
      this.gang = gang;
      this.search = search;
      loads = view instanceof ClusterState ? state.loads() : shownBy(view);
      cost =
          model == null
              ? PhysicalCost.of(loads.model(), loads).incremental(gang.job())
              : new ModelledCost(model, view, gang.job());
    }

    Placement cheapestFrom(List<Found> starts) {
      List<Picks.Pick> best = starts.getFirst().picks();
      double lowest = Double.POSITIVE_INFINITY;
      for (Found start : starts) {
        LowestCost found = new LowestCost(gang, cost);
        List<Picks.Pick> picks = cheapestFrom(start, found);
        if (found.value() < lowest) {
          lowest = found.value();
          best = picks;
        }
      }
      return placement(best);
    }

    private List<Picks.Pick> cheapestFrom(Found start, LowestCost lowest) {
      boolean areMovable = gang.mayMoveTasks();
      lowest.isLoweredBy(start.picks());
      if (lowest.isGoodEnough(!areMovable || !gang.mayStandApart())) {
        return start.picks();
      }
      Limits limits = areMovable ? MOVABLE : PINNED;
      CandidateDomains domains =
          new CandidateDomains(
              index, gang, search, start, model == null ? limits : limits.withSingleNodes());
      return areMovable
          ? new CostSearch(gang, cost, lowest, domains).from(start.picks())
          : new DomainWalk(index, gang, loads, lowest).from(start, domains);
    }

    private Placement placement(List<Picks.Pick> found) {
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
}
