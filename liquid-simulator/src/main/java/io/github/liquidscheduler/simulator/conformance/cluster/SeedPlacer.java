package io.github.liquidscheduler.simulator.conformance.cluster;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Puts no job anywhere, so that those alone start whom a plan does. Else it is the placer that
 * takes over from it.
 *
 * @param successor the placer
 */
record SeedPlacer(Placer successor) implements Placer {

  @Override
  public Optional<Placement> place(ClusterView view, JobSpec job) {
    return Optional.empty();
  }

  @Override
  public boolean isInfeasible(ClusterView idle, JobSpec job) {
    return successor.isInfeasible(idle, job);
  }

  @Override
  public boolean isCapacityBound() {
    return false;
  }

  @Override
  public Map<String, String> parameters() {
    return successor.parameters();
  }

  @Override
  public List<UnmetConstraint> unmetConstraints(ClusterView view, JobSpec job) {
    return successor.unmetConstraints(view, job);
  }
}
