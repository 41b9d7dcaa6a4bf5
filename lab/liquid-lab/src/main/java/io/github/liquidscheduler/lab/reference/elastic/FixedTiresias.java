package io.github.liquidscheduler.lab.reference.elastic;

import java.util.List;
import java.util.Objects;

/**
 * Tiresias with submitted sizes: the baseline without elasticity.
 *
 * @param queues its queues
 */
public record FixedTiresias(ServiceQueues queues) implements ElasticPolicy {

  /** Checks that nothing is null. */
  public FixedTiresias {
    Objects.requireNonNull(queues, "queues");
  }

  @Override
  public String name() {
    return "tiresias";
  }

  @Override
  public List<Double> serviceThresholds() {
    return queues.thresholds();
  }

  @Override
  public JobOrder newOrder() {
    return queues.newOrder();
  }

  @Override
  public int[] sizes(List<ElasticJobState> jobs, int gpus, double now) {
    return SubmittedSizes.fill(jobs, gpus);
  }
}
