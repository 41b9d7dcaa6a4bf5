package io.github.liquidscheduler.rounds.planner.switching;

import io.github.liquidscheduler.job.JobId;
import java.util.Objects;

/**
 * What a job trains, and the GiB that its tasks need of a GPU; if that is unknown it is infinite,
 * and the model never stays in memory.
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
