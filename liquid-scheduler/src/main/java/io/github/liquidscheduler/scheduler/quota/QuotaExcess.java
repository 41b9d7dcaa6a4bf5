package io.github.liquidscheduler.scheduler.quota;

import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.queue.QuotaResource;

/**
 * Why a queue may not hold a job as well.
 *
 * @param queue the queue, that of the job or one that it is a part of
 * @param resource of what it would hold too much
 * @param isOfGuaranteed whether jobs that may not be pre-empted would hold more than is guaranteed;
 *     else all would hold more than its limit
 * @param asked what the job asks for, in the smallest amounts of the resource
 * @param available what it may still hold, at least 0
 */
public record QuotaExcess(
    QueueName queue, QuotaResource resource, boolean isOfGuaranteed, long asked, long available) {}
