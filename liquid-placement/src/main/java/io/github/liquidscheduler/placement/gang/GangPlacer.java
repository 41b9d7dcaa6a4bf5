package io.github.liquidscheduler.placement.gang;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.List;

/**
 * A placer for which capacity alone decides if a gang fits. Such placers share the explanation of a
 * job that does not fit, whatever placement they choose for one that does.
 */
public interface GangPlacer extends Placer {

  @Override
  default boolean isCapacityBound() {
    return true;
  }

  @Override
  default boolean isInfeasible(ClusterView idle, JobSpec job) {
    return GangSearch.isInfeasible(idle, job);
  }

  @Override
  default List<UnmetConstraint> unmetConstraints(ClusterView view, JobSpec job) {
    return UnmetConstraintSearch.explain(this, view, job);
  }
}
