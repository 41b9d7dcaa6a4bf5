package io.github.liquidscheduler.simulator.conditions;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduling.Progress;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;

/**
 * The requests of jobs, by their users or an estimator, against their true usage. A job that uses
 * more memory than granted is killed 30 s after it began to work, and waits again.
 */
public interface RequestModel {

  /** Jobs request what they are described with, and it is always enough. */
  RequestModel AS_DESCRIBED = new RequestModel() {};

  /** Returns the job as it is submitted, with the requests that this model decides. */
  default JobSpec submit(TraceJob job, JobSpec described) {
    return described;
  }

  /** Returns true if the job uses more memory than it was granted there. */
  default boolean isTooLittle(TraceJob job, JobSpec submitted, Placement placement) {
    return false;
  }

  /** Returns the job with the requests after it ran out of memory there; called once each time. */
  default JobSpec afterOutOfMemory(TraceJob job, JobSpec submitted, Placement placement) {
    return submitted;
  }

  /**
   * Returns true if the requests of a waiting job may differ now, because another job has just run
   * out of memory, or finished alone; it is then updated. By default none does.
   */
  default boolean mayDiffer(TraceJob other, TraceJob waiting) {
    return false;
  }

  /** Returns the progress reported to the scheduler of a job that has held GPUs for a time. */
  default Progress report(TraceJob job, JobSpec submitted, Duration ran, Progress progress) {
    return progress;
  }

  /** Records that a job has finished; {@code alone} tells if its last run never had a co-runner. */
  default void finished(
      TraceJob job, JobSpec submitted, Placement placement, boolean alone, Duration ran) {}
}
