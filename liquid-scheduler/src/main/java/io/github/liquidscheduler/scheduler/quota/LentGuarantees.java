package io.github.liquidscheduler.scheduler.quota;

import io.github.liquidscheduler.queue.QuotaResource;

/**
 * The effective guarantees and limits of queues that lend each other quota. A queue is guaranteed
 * at least the sum of its children; a root holds no more than its guarantee; a resource that no
 * queue of a tree counts is unlimited.
 */
final class LentGuarantees {

  private LentGuarantees() {}

  /** Computes the quotas of a queue; its children come first. */
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
