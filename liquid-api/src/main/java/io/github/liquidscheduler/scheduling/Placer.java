package io.github.liquidscheduler.scheduling;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.planning.BatchPlan;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds a place for a job: a pure function of what is free. All tasks of a gang are placed or none
 * is; what is required of the topology holds in every placement returned. Deterministic: the same
 * view and job give the same answer.
 */
public interface Placer {

  /** Returns a placement of the job on the cluster as it is, or empty if it does not fit. */
  Optional<Placement> place(ClusterView view, JobSpec job);

  /**
   * Returns true if the job may go where a {@linkplain BatchPlan plan} starts it or moves it, on
   * the cluster as it is, apart from whether it fits there. True by default; a placer that lets
   * jobs share GPUs, or knows quotas, says no where it would not put the job itself.
   */
  default boolean allows(ClusterView view, JobSpec job, Placement place) {
    return true;
  }

  /**
   * Returns true if only capacity keeps a job from being placed: a job that found no placement
   * finds one later only if one of its tasks then goes on a node where something was freed, added
   * or repaired since. Waiting jobs are then not tried again before that. False by default: after
   * each event that frees anything anywhere, every waiting job is tried. Less that is free never
   * makes a job fit, whatever the answer.
   */
  default boolean isCapacityBound() {
    return false;
  }

  /**
   * Returns false if a job that fits nowhere else cannot be placed with a task on one of these GPUs
   * either, as the cluster is. Asked of jobs that share GPUs and failed before, where something was
   * freed or learned, so that most of them need not be searched for. True by default.
   *
   * @param gpus positions of GPUs in the cluster: those of a node follow {@link
   *     io.github.liquidscheduler.cluster.ClusterTopology#gpusBefore}
   */
  default boolean mayUse(ClusterView view, JobSpec job, BitSet gpus) {
    return true;
  }

  /**
   * Returns true if the job can never run: no placement of it exists on a cluster on which nothing
   * runs and all is up. Such a job is rejected; any other waits. By default that {@link #place}
   * finds nothing is taken for a proof; a placer that may miss a placement must not do so.
   */
  default boolean isInfeasible(ClusterView idle, JobSpec job) {
    return place(idle, job).isEmpty();
  }

  /**
   * Returns the parameters that decide the answers, by name: the kind of placer, limits, weights.
   * Snapshots carry it, and are restored only where it is the same. By default the name of the
   * class.
   */
  default Map<String, String> parameters() {
    return Map.of("type", getClass().getName());
  }

  /**
   * Returns the constraints that keep the job from being placed now, the most telling first; empty
   * if it fits. Dearer than {@link #place}: asked for explanations only.
   */
  List<UnmetConstraint> unmetConstraints(ClusterView view, JobSpec job);
}
