package io.github.liquidscheduler.simulator.conformance.cluster;

import io.github.liquidscheduler.scheduler.policy.JobView;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;

/** The highest priority first; running jobs are left alone. */
final class PriorityWithoutPreemption implements SchedulingPolicy {

  private final SchedulingPolicy order = Policies.priority();

  @Override
  public String name() {
    return order.name() + "-without-preemption";
  }

  @Override
  public long rank(JobView job) {
    return order.rank(job);
  }

  @Override
  public boolean allowsBypass() {
    return true;
  }
}
