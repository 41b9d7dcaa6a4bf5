package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.List;
import java.util.Optional;

/**
 * A placer that does not say what its answers depend on, so that a scheduler tries every waiting
 * job whenever anything was freed.
 */
record TryingEverybody(Placer placer) implements Placer {

  @Override
  public Optional<Placement> place(ClusterView view, JobSpec job) {
    return placer.place(view, job);
  }

  @Override
  public List<UnmetConstraint> unmetConstraints(ClusterView view, JobSpec job) {
    return placer.unmetConstraints(view, job);
  }
}
