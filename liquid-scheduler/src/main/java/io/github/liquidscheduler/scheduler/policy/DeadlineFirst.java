package io.github.liquidscheduler.scheduler.policy;

/** Jobs with a deadline or not pre-emptible first; they may pre-empt all others. */
final class DeadlineFirst implements SchedulingPolicy {

  @Override
  public String name() {
    return "deadline";
  }

  @Override
  public long rank(JobView job) {
    return job.job().deadline().isPresent() || !job.job().isPreemptible() ? 0 : 1;
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
