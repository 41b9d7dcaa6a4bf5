package io.github.liquidscheduler.prediction;

import io.github.liquidscheduler.job.JobSpec;
import java.time.Duration;
import java.util.Optional;

/**
 * The run times of jobs in one possible future. Times are those of expected durations: on the GPUs
 * on which a job is fastest, at its preferred size.
 */
@FunctionalInterface
public interface RunTimeScenario {

  /**
   * Returns for how long a job runs in all until it ends; empty if it runs on. No more than it has
   * run already means that it ends at once. It is asked once of each job in a look-ahead.
   *
   * @param job the job as it is now
   * @param ran for how long it has run already, not negative
   */
  Optional<Duration> runTime(JobSpec job, Duration ran);
}
