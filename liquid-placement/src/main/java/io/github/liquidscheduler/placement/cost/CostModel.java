package io.github.liquidscheduler.placement.cost;

import io.github.liquidscheduler.cluster.ClusterView;

/**
 * A cost defined by an embedder, such as money, energy or distance from the data: any function of
 * where the tasks of a job are. {@link io.github.liquidscheduler.placement.Placers#leastCost
 * Placers.leastCost(model)} asks it for every choice: whole jobs node by node and domain by domain,
 * jobs that fit on one node and jobs that do not communicate included.
 *
 * <p>Equal arguments must give equal costs, or decisions cannot be repeated. Called by one thread
 * at a time for each cluster, up to some thousand times for a job; for at most about a thousand
 * nodes, those first on which little capacity would be left over.
 */
@FunctionalInterface
public interface CostModel {

  /**
   * Returns the cost of the placement, in any unit: the lowest is taken, of equal ones the first.
   * May be negative; positive infinity is taken only if nothing else was found. The caller refuses
   * NaN with an {@link IllegalArgumentException}.
   *
   * @param view the cluster without the job
   * @param candidate the candidate, which fits. Besides whole jobs single tasks are asked about, to
   *     find nodes that are likely cheap.
   */
  double cost(ClusterView view, CandidatePlacement candidate);

  /** Returns the name for messages; by default that of the class. */
  default String name() {
    return getClass().getSimpleName();
  }
}
