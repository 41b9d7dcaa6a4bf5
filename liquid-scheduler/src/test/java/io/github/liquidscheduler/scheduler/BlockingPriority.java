package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.scheduler.policy.JobView;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;

/**
 * A policy as an embedder may write one: the highest priority first, no bypass, and a job that does
 * not fit pre-empts lower priorities.
 */
record BlockingPriority() implements SchedulingPolicy {

  @Override
  public String name() {
    return "blocking-priority";
  }

  @Override
  public long rank(JobView job) {
    return -job.job().priority();
  }

  @Override
  public boolean allowsBypass() {
    return false;
  }

  @Override
  public boolean preempts() {
    return true;
  }
}
