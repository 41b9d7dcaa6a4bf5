package io.github.liquidscheduler.scheduling;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.job.JobSpec;

/**
 * Finds a place for a job: a pure function of what is free. All tasks of a gang are placed or none
 * is; what is required of the topology holds in every placement returned. Deterministic: the same
 * view and job give the same result.
 */
public interface Placer {

  /** Returns where the job would run on the cluster as it is, or what is missing. */
  PlacementResult place(ClusterView view, JobSpec job);
}
