package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduler.eviction.LargestSize;
import io.github.liquidscheduler.scheduling.ForwardingPlacer;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Places an elastic job at its largest size that fits, up to the preferred one, in O(log sizes)
 * placements; its minimum requirement is that of its smallest size. Other jobs are placed as they
 * are.
 *
 * @param placer the placer of jobs of one size
 * @param startsSmall whether elastic jobs are placed at their smallest size
 */
record SizedPlacer(Placer placer, boolean startsSmall) implements ForwardingPlacer {

  @Override
  public Optional<Placement> place(ClusterView view, JobSpec job) {
    if (!job.parallelism().isElastic()) {
      return placer.place(view, job);
    }
    if (startsSmall) {
      return placer.place(view, job.atLeastSize());
    }
    return LargestSize.upToPreferred(job, sized -> placer.place(view, sized));
  }

  @Override
  public boolean allows(ClusterView view, JobSpec job, Placement placement) {
    return placer.allows(view, placement.sized(job), placement);
  }

  @Override
  public boolean mayUse(ClusterView view, JobSpec job, BitSet gpus) {
    return job.parallelism().isElastic() || placer.mayUse(view, job, gpus);
  }

  @Override
  public boolean isInfeasible(ClusterView idle, JobSpec job) {
    return placer.isInfeasible(idle, job.atLeastSize());
  }

  @Override
  public List<UnmetConstraint> unmetConstraints(ClusterView view, JobSpec job) {
    return placer.unmetConstraints(view, job.atLeastSize());
  }
}
