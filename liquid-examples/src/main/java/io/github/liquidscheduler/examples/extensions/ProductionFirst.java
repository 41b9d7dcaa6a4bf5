package io.github.liquidscheduler.examples.extensions;

import io.github.liquidscheduler.scheduler.policy.JobView;
import io.github.liquidscheduler.scheduler.policy.QueueOrder;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import java.util.Optional;

/** A policy: the queue {@code production} first, in each queue the jobs with the fewest GPUs. */
public final class ProductionFirst implements SchedulingPolicy {

  @Override
  public String name() {
    return "production-first";
  }

  @Override
  public Optional<QueueOrder> queueOrder() {
    return Optional.of(queue -> queue.name().value().equals("production") ? 0 : 1);
  }

  @Override
  public long rank(JobView job) {
    return job.job().gpus();
  }

  @Override
  public boolean allowsBypass() {
    return true;
  }
}
