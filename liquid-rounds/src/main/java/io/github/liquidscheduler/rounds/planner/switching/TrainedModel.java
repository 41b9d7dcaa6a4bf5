package io.github.liquidscheduler.rounds.planner.switching;

import io.github.liquidscheduler.job.JobId;
import java.util.Objects;

/**
 * What a job trains.
 *
 * @param job the job
 * @param model what its tasks take to switch to
 * @param gib what its tasks need of a GPU's memory, in GiB, positive; infinite if unknown, then it
 *     never stays in memory
 */
public record TrainedModel(JobId job, PublishedModel model, double gib) {

  /**
   * Checks the memory.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public TrainedModel {
    Objects.requireNonNull(job, "job");
    Objects.requireNonNull(model, "model");
    if (!(gib > 0)) {
      throw new IllegalArgumentException(
          "a model must need more than 0 GiB, but needs %s for job '%s'".formatted(gib, job));
    }
  }
}
