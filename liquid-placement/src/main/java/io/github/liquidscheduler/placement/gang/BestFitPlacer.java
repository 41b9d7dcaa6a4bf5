package io.github.liquidscheduler.placement.gang;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import java.util.Optional;

/**
 * Places a gang whole or not at all, by best fit: on one node if one can hold it, else in the
 * narrowest topology domain that can, up to the required level; among equals where the least
 * capacity is left over.
 *
 * <p>A required level holds if all tasks are on one node, or in one domain of that level or of a
 * narrower one. A preferred level needs no rule of its own: narrower domains are always tried
 * first.
 *
 * <p>On a {@link ClusterState} a call costs O(levels) look-ups for each node it uses and does not
 * depend on the number of nodes; any other view is first indexed in O(nodes). The state is
 * unchanged after a call but must not be used by another thread during it.
 */
public final class BestFitPlacer implements GangPlacer {

  private BestFitPlacer() {}

  /** Returns the best-fit placer. */
  public static BestFitPlacer bestFit() {
    return new BestFitPlacer();
  }

  @Override
  public Optional<Placement> place(ClusterView view, JobSpec job) {
    CapacityIndex index = ClusterState.of(view).index();
    GangShape gang = new GangShape(job, index);
    Optional<GangSearch.Found> found = new GangSearch(index, gang).first();
    return found.isEmpty()
        ? Optional.empty()
        : Optional.of(Picks.placement(index, gang, found.get().picks()));
  }
}
