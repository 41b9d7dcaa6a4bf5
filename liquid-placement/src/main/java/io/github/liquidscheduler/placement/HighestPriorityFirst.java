package io.github.liquidscheduler.placement;

/** The highest priority first; lower ones make room. */
record HighestPriorityFirst() implements QueuePolicy {

  @Override
  public String name() {
    return "priority";
  }

  @Override
  public long rank(JobView job) {
    return -(long) job.job().priority();
  }

  @Override
  public boolean skips() {
    return true;
  }

  @Override
  public boolean preempts() {
    return true;
  }
}
