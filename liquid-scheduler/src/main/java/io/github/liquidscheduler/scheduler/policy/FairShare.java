package io.github.liquidscheduler.scheduler.policy;

import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.scheduler.policy.QueueOrder.QueueView;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Weighted fair sharing: the queue with the fewest GPUs per weight goes first; another policy
 * orders its jobs.
 */
record FairShare(SchedulingPolicy inside, Map<QueueName, Double> weights)
    implements SchedulingPolicy, QueueOrder {

  FairShare {
    weights = Collections.unmodifiableMap(new TreeMap<>(weights));
    weights.forEach(
        (queue, weight) -> {
          if (!(weight > 0 && weight <= Double.MAX_VALUE)) {
            throw new IllegalArgumentException(
                "a queue's weight must be more than zero and finite, but was %s, for queue '%s'"
                    .formatted(weight, queue));
          }
        });
    if (inside.preempts() || inside.queueOrder().isPresent()) {
      throw new IllegalArgumentException(
          "the policy inside the queues must not pre-empt and not order queues itself, but '%s' does"
              .formatted(inside.name()));
    }
  }

  @Override
  public String name() {
    return "fair-share";
  }

  @Override
  public Map<String, String> parameters() {
    Map<String, String> parameters = new TreeMap<>();
    parameters.put("inside", inside.name());
    inside.parameters().forEach((name, value) -> parameters.put("inside." + name, value));
    weights.forEach((queue, weight) -> parameters.put("weight of '" + queue + "'", "" + weight));
    return parameters;
  }

  @Override
  public Optional<QueueOrder> queueOrder() {
    return Optional.of(this);
  }

  @Override
  public double rank(QueueView queue) {
    return queue.gpus() / weights.getOrDefault(queue.name(), 1.0);
  }

  @Override
  public long rank(JobView job) {
    return inside.rank(job);
  }

  @Override
  public boolean allowsBypass() {
    return inside.allowsBypass();
  }

  @Override
  public boolean isRemainingTime() {
    return inside.isRemainingTime();
  }

  @Override
  public PolicyState policyState(JobView job) {
    return inside.policyState(job);
  }

  @Override
  public Optional<Instant> nextReview(JobView job) {
    return inside.nextReview(job);
  }
}
