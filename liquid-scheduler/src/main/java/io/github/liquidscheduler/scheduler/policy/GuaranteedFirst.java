package io.github.liquidscheduler.scheduler.policy;

import io.github.liquidscheduler.job.Sharing;

/** Opportunistic jobs last; the others may pre-empt them. */
final class GuaranteedFirst implements SchedulingPolicy {

  @Override
  public String name() {
    return "guaranteed-first";
  }

  @Override
  public long rank(JobView job) {
    return job.job().sharing() instanceof Sharing.Opportunistic ? 1 : 0;
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
