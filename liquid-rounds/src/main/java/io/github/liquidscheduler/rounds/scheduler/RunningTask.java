package io.github.liquidscheduler.rounds.scheduler;

import io.github.liquidscheduler.rounds.TaskRun;
import java.time.Instant;

/**
 * A task that computes or synchronizes.
 *
 * @param charged the time that its job is charged for it, in nanoseconds, until it is known how
 *     long it took
 */
record RunningTask(TaskRun run, JobRounds job, PoolGpu gpu, Instant since, long charged) {

  /** Returns true until it synchronizes; a GPU computes one task at a time. */
  @SuppressWarnings("ReferenceEquality")
  boolean isComputing() {
    return gpu.computing == this;
  }
}
