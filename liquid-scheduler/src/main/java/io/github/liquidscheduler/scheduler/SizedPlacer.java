package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Places a job that may have several sizes at the largest that fits, up to the preferred one; what
 * it needs at least is what it needs at the smallest. Other jobs are placed as they are.
 *
 * @param placer places jobs of one size
 */
record SizedPlacer(Placer placer) implements Placer {

  @Override
  public Optional<Placement> place(ClusterView view, JobSpec job) {
    Parallelism sizes = job.parallelism();
    if (!sizes.isElastic()) {
      return placer.place(view, job);
    }
    Optional<Placement> found = Optional.empty();
    List<Integer> allowed = sizes.allowedSizes();
    for (int i = allowed.indexOf(sizes.preferred()); i >= 0 && found.isEmpty(); i--) {
      found = placer.place(view, job.atSize(allowed.get(i)));
    }
    return found;
  }

  @Override
  public boolean allows(ClusterView view, JobSpec job, Placement placement) {
    return placer.allows(view, placement.sized(job), placement);
  }

  @Override
  public boolean isCapacityBound() {
    return placer.isCapacityBound();
  }

  @Override
  public boolean isInfeasible(ClusterView idle, JobSpec job) {
    return placer.isInfeasible(idle, job.atLeastSize());
  }

  @Override
  public List<UnmetConstraint> unmetConstraints(ClusterView view, JobSpec job) {
    return placer.unmetConstraints(view, job.atLeastSize());
  }

  @Override
  public Map<String, String> parameters() {
    return placer.parameters();
  }
}
