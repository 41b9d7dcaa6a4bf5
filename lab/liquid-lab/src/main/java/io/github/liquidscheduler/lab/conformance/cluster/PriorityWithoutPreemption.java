package io.github.liquidscheduler.lab.conformance.cluster;

import io.github.liquidscheduler.scheduler.policy.JobView;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;

/** The highest priority first; running jobs are left alone. Goes by the name it is given. */
final class PriorityWithoutPreemption implements SchedulingPolicy {

  private final SchedulingPolicy order = Policies.priority();
  private final String name;

  PriorityWithoutPreemption(String name) {
    this.name = name;
  }

  @Override
  public String name() {
    return name;
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
