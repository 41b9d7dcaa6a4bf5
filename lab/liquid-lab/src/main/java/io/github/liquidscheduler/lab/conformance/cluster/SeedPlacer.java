package io.github.liquidscheduler.lab.conformance.cluster;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduling.ForwardingPlacer;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.Map;
import java.util.Optional;

/**
 * Puts no job anywhere, so that those alone start whom a plan does. Else it is the placer that
 * takes over from it.
 *
 * @param placer the one that takes over
 */
record SeedPlacer(Placer placer) implements ForwardingPlacer {

  @Override
  public Optional<Placement> place(ClusterView view, JobSpec job) {
    return Optional.empty();
  }

  @Override
  public boolean isCapacityBound() {
    return false;
  }

  @Override
  public Map<String, String> parameters() {
    return placer.parameters();
  }
}
