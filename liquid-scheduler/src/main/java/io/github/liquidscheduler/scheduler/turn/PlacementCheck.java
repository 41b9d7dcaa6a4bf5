package io.github.liquidscheduler.scheduler.turn;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.gang.PlacementRules;
import io.github.liquidscheduler.scheduling.Placer;

/**
 * The check of a placement from a batch plan for a start or a move: against the job's constraints,
 * free capacity and the placer.
 *
 * @param cluster the present cluster
 * @param placer the placer of jobs without a plan
 */
public record PlacementCheck(ClusterState cluster, Placer placer) {

  /** Returns true if a waiting job may start there. */
  public boolean mayStart(JobSpec job, Placement place) {
    return new PlacementRules(cluster.topology(), job).brokenBy(place).isEmpty()
        && cluster.fits(place)
        && placer.allows(cluster, job, place);
  }

  /** Returns true if a running job may move there after it has left its placement. */
  public boolean mayMove(JobSpec job, Placement to) {
    cluster.trials().suspend(job.id());
    boolean mayStart = mayStart(job, to);
    cluster.trials().resume(job.id());
    return mayStart;
  }
}
