package io.github.liquidscheduler.rounds.scheduler;

import org.jspecify.annotations.Nullable;

/** The jobs that have tasks for the policy, and who of them is next on which idle GPU. Mutable. */
interface RoundQueue {

  /**
   * A job and the GPU for its first waiting task.
   *
   * @param job the job
   * @param gpu the GPU
   * @param rank by what the job came first, lowest first
   */
  record Match(JobRounds job, PoolGpu gpu, double rank) {}

  /** Adds a job that is not there, ranked by what is known of it now. */
  void add(JobRounds job);

  /** Removes a job if it is there, whatever has become of it since it was added. */
  void remove(JobRounds job);

  /** Removes all jobs. */
  void clear();

  /** Returns the next job; none without a job or an idle GPU. */
  @Nullable Match next();
}
