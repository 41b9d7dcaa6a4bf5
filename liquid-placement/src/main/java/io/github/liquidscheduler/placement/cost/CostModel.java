package io.github.liquidscheduler.placement.cost;

import io.github.liquidscheduler.cluster.ClusterView;

/**
 * What an embedder wants to be low: money, energy, distance from the data, anything that depends on
 * where the tasks of a job are. {@link io.github.liquidscheduler.placement.Placers#leastCost
 * Placers.leastCost(model)} asks it for every choice: whole jobs node by node and domain by domain,
 * jobs that fit on one node and jobs that do not communicate included.
 *
 * <p>Equal arguments must give equal costs, or decisions cannot be repeated. Called by one thread
 * at a time for each cluster, up to some thousand times for a job; for at most about a thousand
 * nodes, those first on which little would be left over.
 */
@FunctionalInterface
public interface CostModel {

  /**
   * Returns what the placement costs, in any unit: the lowest is taken, of equal ones the first.
   * May be negative; positive infinity is taken only if nothing else was found. Not a number is
   * refused with an {@link IllegalArgumentException} by who asks.
   *
   * @param view what is free and who runs where, the job itself left out
   * @param candidate where its tasks would be. They fit there. Besides whole jobs single tasks are
   *     asked about, to know nodes that are likely cheap.
   */
  double cost(ClusterView view, CandidatePlacement candidate);

  /** Returns what messages call this model; by default the name of its class. */
  default String name() {
    return getClass().getSimpleName();
  }
}
