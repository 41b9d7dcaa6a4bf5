package io.github.liquidscheduler.scheduler.policy;

/** What becomes of a job that cannot end before its deadline. */
public enum LateJobs {
  /** It is rejected, and told when it could end. */
  REFUSE,
  /** It waits for the GPUs with which it ends as early as it can. */
  WAIT
}
