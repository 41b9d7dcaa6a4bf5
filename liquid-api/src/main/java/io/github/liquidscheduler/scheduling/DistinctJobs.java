package io.github.liquidscheduler.scheduling;

import io.github.liquidscheduler.job.JobId;
import java.util.HashSet;
import java.util.Set;

/** The rule that something names each job once. */
public final class DistinctJobs {

  private DistinctJobs() {}

  /**
   * Checks that no job comes twice.
   *
   * @throws IllegalArgumentException if one does; the message says where
   */
  public static void require(Iterable<JobId> jobs, String where) {
    Set<JobId> seen = new HashSet<>();
    for (JobId job : jobs) {
      if (!seen.add(job)) {
        throw new IllegalArgumentException(
            "each job must be named once, but '%s' was named twice, in %s".formatted(job, where));
      }
    }
  }
}
