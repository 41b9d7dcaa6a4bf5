package io.github.liquidscheduler.scheduler.prefetch;

import io.github.liquidscheduler.job.JobId;
import java.time.Instant;
import java.util.Objects;

/**
 * A copy to be brought to its node now, and why.
 *
 * @param copy the copy
 * @param job the first waiting job that is expected to read it there
 * @param neededAt when that job is expected to start
 * @param gainGpuSeconds how long GPUs of the job are predicted to idle less at its launch, all
 *     together; positive
 */
public record Prefetch(DataCopy copy, JobId job, Instant neededAt, double gainGpuSeconds) {

  /**
   * Checks the parts.
   *
   * @throws IllegalArgumentException if the gain is not positive and finite
   */
  public Prefetch {
    Objects.requireNonNull(copy, "copy");
    Objects.requireNonNull(job, "job");
    Objects.requireNonNull(neededAt, "neededAt");
    if (!(gainGpuSeconds > 0) || Double.isInfinite(gainGpuSeconds)) {
      throw new IllegalArgumentException(
          "the gain of a prefetch must be positive and finite, but was %s, for job '%s'"
              .formatted(gainGpuSeconds, job));
    }
  }
}
