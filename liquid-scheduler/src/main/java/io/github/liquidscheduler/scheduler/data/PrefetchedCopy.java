package io.github.liquidscheduler.scheduler.data;

import io.github.liquidscheduler.job.Dataset;
import io.github.liquidscheduler.job.JobId;
import java.time.Instant;

/**
 * A prefetched copy, complete or in transfer, that no job has read yet.
 *
 * @param job the expected first reader
 * @param begun the start of the transfer
 * @param probability the fraction of scenarios in which a job reads the copy, from 0 to 1
 * @param until the latest expected read
 */
public record PrefetchedCopy(
    JobId job, Dataset dataset, Instant begun, double probability, Instant until) {

  /** Returns true if the latest expected read is before {@code now}. */
  boolean isLate(Instant now) {
    return now.isAfter(until);
  }
}
