package io.github.liquidscheduler.rounds.scheduler;

import org.jspecify.annotations.Nullable;

/** The jobs that have tasks for the policy, and who of them is next on which idle GPU. Mutable. */
interface RoundQueue {

  /** A job, the GPU for its first waiting task, and the rank by which it came, lowest first. */
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
