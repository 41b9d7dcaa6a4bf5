package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.job.JobId;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The waiting and running jobs by id. */
final class LiveJobs {

  private final Map<JobId, JobEntry> jobs = new HashMap<>();

  /** Adds a job with a new id. */
  void add(JobEntry job) {
    jobs.put(job.id(), job);
  }

  void remove(JobEntry job) {
    jobs.remove(job.id());
  }

  /** Returns the job of an id, or null. */
  @Nullable JobEntry find(JobId job) {
    return jobs.get(job);
  }

  /** Returns all jobs in an arbitrary order. */
  Stream<JobEntry> all() {
    return jobs.values().stream();
  }
}
