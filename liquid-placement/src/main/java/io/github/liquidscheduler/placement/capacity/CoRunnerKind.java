package io.github.liquidscheduler.placement.capacity;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.Workload;

/**
 * What jobs have in common that may mostly share GPUs with the same others: they differ in the
 * share and the memory that they hold.
 *
 * @param workload what they compute
 * @param sharing what they were promised
 */
public record CoRunnerKind(Workload workload, Sharing sharing) {

  @Override
  public int hashCode() {
    return 31 * workload.hashCode() + sharing.hashCode();
  }

  /** Returns the kind of a job. */
  public static CoRunnerKind of(JobSpec job) {
    return new CoRunnerKind(job.workload(), job.sharing());
  }
}
