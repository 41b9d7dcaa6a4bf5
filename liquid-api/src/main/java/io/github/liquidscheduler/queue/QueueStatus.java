package io.github.liquidscheduler.queue;

import io.github.liquidscheduler.job.QueueName;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The usage and the requests of a queue, those of its descendants included, at a moment.
 *
 * @param name the queue
 * @param usage the amounts of each resource that is counted
 */
public record QueueStatus(QueueName name, Map<QuotaResource, Usage> usage) {

  /** Checks that nothing is null, and copies the amounts. */
  public QueueStatus {
    Objects.requireNonNull(name, "name");
    usage = Collections.unmodifiableMap(new TreeMap<>(usage));
  }

  /**
   * Amounts of one resource, in GPUs, cores or bytes.
   *
   * @param held what running jobs hold or are promised; with {@code stopping} never above the limit
   * @param stopping what jobs that were pre-empted, or are getting smaller, hold besides. Of what a
   *     job waits for that names them, a queue that contains both counts only the larger amount
   * @param heldForGood what those of them hold that may not be pre-empted
   * @param requested what all jobs want, running and waiting ones
   * @param share what is due to the queue if all that there is is divided now
   * @param recentPart which part of all there was the queue has used of late, 0 to 1; 0 if that
   *     {@linkplain QueueTree#decayedUsage does not count}
   */
  public record Usage(
      double held,
      double stopping,
      double heldForGood,
      double requested,
      double share,
      double recentPart) {}
}
