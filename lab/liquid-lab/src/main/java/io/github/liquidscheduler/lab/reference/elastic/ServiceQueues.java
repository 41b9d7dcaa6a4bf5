package io.github.liquidscheduler.lab.reference.elastic;

import java.util.List;

/**
 * The queues of Tiresias (Gu et al., NSDI 2019), discretised two-dimensional least attained service
 * without promotion.
 *
 * @param thresholds the attained service, in GPU-seconds, at which a job leaves each queue but the
 *     last; at least one, ascending, above 0
 * @param tailOrder whether a queue is a list to whose tail jobs go, and not sorted by first start
 */
public record ServiceQueues(List<Double> thresholds, boolean tailOrder) {

  /** Two queues, and 3600 GPU-seconds in the first. */
  public static final ServiceQueues TWO = new ServiceQueues(List.of(3600.0), false);

  /**
   * Checks and copies the thresholds.
   *
   * @throws IllegalArgumentException if there is none, or they do not ascend from above 0
   */
  public ServiceQueues {
    thresholds = List.copyOf(thresholds);
    double last = 0;
    for (double threshold : thresholds) {
      if (!(threshold > last) || Double.isInfinite(threshold)) {
        throw new IllegalArgumentException(
            "service thresholds must be above 0 and ascend, but were " + thresholds);
      }
      last = threshold;
    }
    if (thresholds.isEmpty()) {
      throw new IllegalArgumentException("there must be a service threshold, but was none");
    }
  }

  JobOrder newOrder() {
    return tailOrder
        ? new QueueTailOrder(thresholds.size() + 1)
        : SortedOrder.byQueueAndFirstStart();
  }
}
