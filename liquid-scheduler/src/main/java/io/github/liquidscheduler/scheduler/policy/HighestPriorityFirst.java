package io.github.liquidscheduler.scheduler.policy;

/** The highest priority first; it may pre-empt lower ones. */
record HighestPriorityFirst() implements SchedulingPolicy {

  @Override
  public String name() {
    return "priority";
  }

  @Override
  public long rank(JobView job) {
    return -(long) job.job().priority();
  }

  @Override
  public boolean allowsBypass() {
    return true;
  }

  @Override
  public boolean preempts() {
    return true;
  }
}
