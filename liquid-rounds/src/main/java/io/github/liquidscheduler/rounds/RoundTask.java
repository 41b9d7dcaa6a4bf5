package io.github.liquidscheduler.rounds;

import io.github.liquidscheduler.job.JobId;
import java.util.Objects;

/** One task of one round of a job; rounds, and the tasks of a round, count from 0. */
public record RoundTask(JobId job, int round, int index) {

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if one is negative
   */
  public RoundTask {
    Objects.requireNonNull(job, "job");
    if (round < 0 || index < 0) {
      throw new IllegalArgumentException(
          "rounds and tasks are counted from 0, but were %d and %d, for job '%s'"
              .formatted(round, index, job));
    }
  }

  /** Returns the job, the round and the task, such as {@code train-7/3/0}. */
  @Override
  public String toString() {
    return job + "/" + round + "/" + index;
  }
}
