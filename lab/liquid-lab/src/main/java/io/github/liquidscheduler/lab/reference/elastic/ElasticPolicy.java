package io.github.liquidscheduler.lab.reference.elastic;

import java.util.List;

/** Decides the sizes of elastic jobs. Immutable, and the same for the same jobs. */
public interface ElasticPolicy {

  /** Returns the name on the command line. */
  String name();

  /**
   * Returns the attained service, in GPU-seconds, at which a job leaves each queue for the one
   * below; the last queue has none. Each time a job leaves a queue there is a plan.
   */
  default List<Double> serviceThresholds() {
    return List.of();
  }

  /** Returns an empty order of jobs for one run. */
  JobOrder newOrder();

  /**
   * Returns a size for each job, 0 if it is to wait. Together at most {@code gpus}.
   *
   * @param jobs the jobs in the system, in the policy's order
   * @param gpus the GPUs of the cluster
   * @param now the time in seconds
   */
  int[] sizes(List<ElasticJobState> jobs, int gpus, double now);
}
