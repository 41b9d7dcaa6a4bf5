package io.github.liquidscheduler.scheduler.turn;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.gang.PlacementRules;
import io.github.liquidscheduler.scheduling.Placer;

/**
 * What must hold of a place that a batch plan gives to a job, whether the job starts or moves
 * there: what the job asks, what is free, and what the placer allows.
 *
 * @param cluster the cluster as it is
 * @param placer who finds places for jobs without a plan
 */
public record PlacementCheck(ClusterState cluster, Placer placer) {

  /** Returns true if a job that waits may start there. */
  public boolean mayStart(JobSpec job, Placement place) {
    return new PlacementRules(cluster.topology(), job).brokenBy(place).isEmpty()
        && cluster.fits(place)
        && placer.allows(cluster, job, place);
  }

  /** Returns true if a job that runs may move there, once it has left where it is. */
  public boolean mayMove(JobSpec job, Placement to) {
    cluster.suspend(job.id());
    boolean mayStart = mayStart(job, to);
    cluster.resume(job.id());
    return mayStart;
  }
}
