package io.github.liquidscheduler.placement.timeline;

import io.github.liquidscheduler.job.JobId;
import java.util.Objects;

/**
 * A waiting job.
 *
 * @param <G> the request of a gang
 * @param id the job
 * @param gang its request
 * @param length its predicted run time, in the unit of time, at least 1
 * @param mayReserve whether it may hold a reservation
 * @param kind equal for jobs that fit or do not fit alike if they run equally long
 */
public record WaitingJob<G>(JobId id, G gang, long length, boolean mayReserve, Object kind) {

  /** Makes a job that may hold a reservation, of a kind of its own. */
  public WaitingJob(JobId id, G gang, long length) {
    this(id, gang, length, true, id);
  }

  /**
   * Checks the parts.
   *
   * @throws IllegalArgumentException if {@code length} is less than 1
   */
  public WaitingJob {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(gang, "gang");
    Objects.requireNonNull(kind, "kind");
    if (length < 1) {
      throw new IllegalArgumentException(
          "a predicted length must be at least 1, but was %d, for job '%s'".formatted(length, id));
    }
  }
}
