package io.github.liquidscheduler.scheduler.data;

import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.job.JobId;
import java.time.Instant;

/**
 * A copy that was brought, or is being brought, and that nobody has read yet.
 *
 * @param job the job that was expected to read it first
 * @param dataset what
 * @param begun when
 * @param probability in which part of the scenarios somebody reads it, from 0 to 1
 * @param until when somebody should have
 */
public record Bringing(
    JobId job, Dataset dataset, Instant begun, double probability, Instant until) {

  /** Returns whether somebody should have read it before {@code now}. */
  boolean isLate(Instant now) {
    return now.isAfter(until);
  }
}
