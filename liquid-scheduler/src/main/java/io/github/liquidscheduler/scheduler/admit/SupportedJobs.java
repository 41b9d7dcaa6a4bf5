package io.github.liquidscheduler.scheduler.admit;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Synchronization;

/** Rejects jobs that use features of another scheduler, so that nothing stated is ignored. */
final class SupportedJobs {

  private SupportedJobs() {}

  /**
   * Checks a job.
   *
   * @throws IllegalArgumentException if it runs in relaxed rounds
   */
  static void require(JobSpec job) {
    refuse(
        job.synchronization() instanceof Synchronization.RelaxedRounds,
        "synchronization in relaxed rounds needs a RoundScheduler",
        job);
  }

  private static void refuse(boolean isAsked, String why, JobSpec job) {
    if (isAsked) {
      throw new IllegalArgumentException(
          "%s and must be left out, for job '%s'".formatted(why, job.id()));
    }
  }
}
