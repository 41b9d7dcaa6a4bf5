package io.github.liquidscheduler.scheduler.quota;

import io.github.liquidscheduler.queue.QuotaResource;

/**
 * What queues are guaranteed, and may hold, where they lend each other what is guaranteed to them:
 * a queue is guaranteed what its parts are, at least, and at the top it holds no more; what no
 * queue of its tree counts is not limited.
 */
final class LentGuarantees {

  private LentGuarantees() {}

  /** Has the quotas of a queue be so; its parts come first. */
  static void lend(QueueAccount queue) {
    for (int resource = 0; resource < queue.resources(); resource++) {
      if (!queue.isPart() && !counts(queue, queue.resource(resource))) {
        leaveUncounted(queue, resource);
      } else {
        long guaranteed = Math.max(queue.guaranteed(resource), ofParts(queue, resource));
        long limit = queue.limit(resource);
        queue
            .amounts()
            .setQuota(resource, guaranteed, queue.isPart() ? limit : Math.min(limit, guaranteed));
      }
    }
  }

  private static long ofParts(QueueAccount queue, int resource) {
    long sum = 0;
    for (QueueAccount part : queue.children()) {
      sum = Charge.sum(sum, part.guaranteed(resource));
    }
    return sum;
  }

  private static boolean counts(QueueAccount queue, QuotaResource resource) {
    return queue.amounts().counts(resource)
        || queue.children().stream().anyMatch(part -> counts(part, resource));
  }

  private static void leaveUncounted(QueueAccount queue, int resource) {
    queue.amounts().setQuota(resource, Long.MAX_VALUE, Long.MAX_VALUE);
    queue.children().forEach(part -> leaveUncounted(part, resource));
  }
}
