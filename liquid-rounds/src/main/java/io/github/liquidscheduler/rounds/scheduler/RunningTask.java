package io.github.liquidscheduler.rounds.scheduler;

import io.github.liquidscheduler.rounds.TaskRun;
import java.time.Instant;

/** A task that computes or synchronizes. Mutable. */
final class RunningTask {

  private final TaskRun run;
  private final JobRounds job;
  private final PoolGpu gpu;
  private final Instant since;

  /**
   * The time that its job is charged for it, in nanoseconds, until it is known how long it took.
   */
  private final long charged;

  private boolean isComputing;

  RunningTask(
      TaskRun run, JobRounds job, PoolGpu gpu, Instant since, long charged, boolean isComputing) {
    this.run = run;
    this.job = job;
    this.gpu = gpu;
    this.since = since;
    this.charged = charged;
    this.isComputing = isComputing;
  }

  TaskRun run() {
    return run;
  }

  JobRounds job() {
    return job;
  }

  PoolGpu gpu() {
    return gpu;
  }

  Instant since() {
    return since;
  }

  long charged() {
    return charged;
  }

  boolean isComputing() {
    return isComputing;
  }

  void synchronize() {
    isComputing = false;
  }
}
