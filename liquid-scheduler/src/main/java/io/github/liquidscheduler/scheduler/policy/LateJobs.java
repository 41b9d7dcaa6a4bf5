package io.github.liquidscheduler.scheduler.policy;

/** The treatment of a job that cannot meet its deadline. */
public enum LateJobs {
  /** The job is rejected with its earliest possible end. */
  REFUSE,
  /** The job waits for the GPUs with which it ends earliest. */
  WAIT
}
