package io.github.liquidscheduler.scheduler.job;

import io.github.liquidscheduler.scheduler.policy.JobView;
import io.github.liquidscheduler.scheduler.policy.PolicyState;
import io.github.liquidscheduler.scheduler.policy.QueueOrder;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A policy that was asked once for all that is the same for every job. So no turn, and no rollback
 * of one, asks an embedder's code for what it knows already.
 */
record KnownPolicy(
    SchedulingPolicy policy,
    String name,
    Map<String, String> parameters,
    Optional<QueueOrder> queueOrder,
    boolean allowsBypass,
    boolean preempts,
    boolean isRemainingTime)
    implements SchedulingPolicy {

  static KnownPolicy of(SchedulingPolicy policy) {
    return policy instanceof KnownPolicy known
        ? known
        : new KnownPolicy(
            policy,
            policy.name(),
            Collections.unmodifiableMap(new LinkedHashMap<>(policy.parameters())),
            policy.queueOrder(),
            policy.allowsBypass(),
            policy.preempts(),
            policy.isRemainingTime());
  }

  @Override
  public long rank(JobView job) {
    return policy.rank(job);
  }

  @Override
  public PolicyState policyState(JobView job) {
    return policy.policyState(job);
  }

  @Override
  public Optional<Instant> nextReview(JobView job) {
    return policy.nextReview(job);
  }
}
