package io.github.liquidscheduler.scheduler.quota;

import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.queue.QuotaResource;

/**
 * A quota that an additional job would exceed.
 *
 * @param queue the queue of the job or one of its ancestors
 * @param resource the exceeded resource
 * @param isOfGuaranteed whether non-preemptible jobs would exceed the guarantee; else all jobs
 *     would exceed the limit
 * @param asked the requested amount, in the smallest units
 * @param available the amount still allowed, at least 0
 */
public record QuotaExcess(
    QueueName queue, QuotaResource resource, boolean isOfGuaranteed, long asked, long available) {

  /** Returns the same quota with other amounts. */
  QuotaExcess of(long asked, long available) {
    return new QuotaExcess(queue, resource, isOfGuaranteed, asked, available);
  }
}
