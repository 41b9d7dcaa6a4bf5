package io.github.liquidscheduler.rounds;

import io.github.liquidscheduler.cluster.GpuId;
import java.util.Objects;

/** One run of a task on a GPU; if it fails, the task runs again under a higher number. */
public record TaskRun(RoundTask task, GpuId gpu, long number) {

  /**
   * Checks the number.
   *
   * @throws IllegalArgumentException if it is less than 1
   */
  public TaskRun {
    Objects.requireNonNull(task, "task");
    Objects.requireNonNull(gpu, "gpu");
    if (number < 1) {
      throw new IllegalArgumentException(
          "the number of a run must be at least 1, but was %d, for task %s"
              .formatted(number, task));
    }
  }

  /** Returns the task, its GPU and the number, such as {@code train-7/3/0 on n7:2, run 41}. */
  @Override
  public String toString() {
    return task + " on " + gpu + ", run " + number;
  }
}
