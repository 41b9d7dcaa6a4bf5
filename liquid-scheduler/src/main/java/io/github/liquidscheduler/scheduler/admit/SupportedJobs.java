package io.github.liquidscheduler.scheduler.admit;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Synchronization;

/** Refuses jobs that describe what no scheduler does yet, so that nothing stated is ignored. */
final class SupportedJobs {

  private SupportedJobs() {}

  /**
   * Checks a job.
   *
   * @throws IllegalArgumentException if it runs in relaxed rounds or has a data set to prefetch
   */
  static void require(JobSpec job) {
    refuse(
        job.synchronization() instanceof Synchronization.RelaxedRounds,
        "synchronization in relaxed rounds",
        job);
    refuse(job.dataset().isPresent(), "a data set to prefetch", job);
  }

  private static void refuse(boolean isAsked, String what, JobSpec job) {
    if (isAsked) {
      throw new IllegalArgumentException(
          "%s is not supported yet and must be left out, for job '%s'".formatted(what, job.id()));
    }
  }
}
