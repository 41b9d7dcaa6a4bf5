package io.github.liquidscheduler.simulator;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduling.Progress;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;

/**
 * What the jobs of a simulation ask for, by their users' guess or an estimator's, and whether that
 * is enough. A job that uses more memory than it was granted is killed 30 s after it began to work,
 * and waits again.
 */
public interface RequestModel {

  /** Jobs ask for what they are described with, and it is always enough. */
  RequestModel AS_DESCRIBED = new RequestModel() {};

  /**
   * Returns the job as it is submitted, at the time when it is.
   *
   * @param described the job without what this decides
   */
  default JobSpec submit(TraceJob job, JobSpec described) {
    return described;
  }

  /** Returns whether the job uses more memory than it was granted there. */
  default boolean isTooLittle(TraceJob job, JobSpec asked, Placement placement) {
    return false;
  }

  /**
   * Returns what the job asks for after it has run out of memory there; called once each time.
   *
   * @param asked the job as it was submitted last
   */
  default JobSpec askAgain(TraceJob job, JobSpec asked, Placement placement) {
    return asked;
  }

  /**
   * Returns whether a waiting job may ask for something else by now, because another has just run
   * out of memory, or finished alone; it is then submitted anew. By default none does.
   */
  default boolean mayDiffer(TraceJob other, TraceJob waiting) {
    return false;
  }

  /**
   * Returns what is reported to the scheduler of a job's progress.
   *
   * @param ran for how long the job has held GPUs
   */
  default Progress report(TraceJob job, JobSpec asked, Duration ran, Progress progress) {
    return progress;
  }

  /**
   * Takes note that a job has done its work.
   *
   * @param alone whether nobody else was on its GPUs at any time of its last run
   * @param ran for how long the job has held GPUs
   */
  default void finished(
      TraceJob job, JobSpec asked, Placement placement, boolean alone, Duration ran) {}
}
