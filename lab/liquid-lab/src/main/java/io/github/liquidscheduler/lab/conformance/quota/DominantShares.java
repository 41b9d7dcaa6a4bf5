package io.github.liquidscheduler.lab.conformance.quota;

import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.scheduler.quota.Charge;
import io.github.liquidscheduler.scheduler.quota.DominantShare;
import io.github.liquidscheduler.scheduler.quota.QueueBooks;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The {@link DominantShare} of each queue of a tree for a given usage.
 *
 * <p>A leaf's own quota is its guarantee; an inner queue's is its guarantee beyond that of its
 * children plus what these may lend. Usage within the unlendable quota is hidden from the parent;
 * the rest counts there. A queue may borrow up to its limit from what its parent can lend. This is
 * the arithmetic of Kueue's cohorts, where a cohort's nominal quota adds to that of its children.
 * GPUs of several models are added up, as flavours of one resource; the resource of all GPUs is
 * counted separately.
 */
final class DominantShares {

  private final QueueBooks books;

  /**
   * Computes the shares.
   *
   * @param held the amounts that the jobs of each leaf hold, in GPUs, cores or bytes; 0 if missing
   * @throws IllegalArgumentException if a queue is not a leaf of the tree, or an amount is
   *     negative, infinite or NaN
   */
  DominantShares(QueueTree tree, Map<QueueName, Map<QuotaResource, Double>> held) {
    books = new QueueBooks(tree.with(Reclaiming.DOMINANT_SHARES), Instant.EPOCH);
    held.forEach(this::hold);
  }

  private void hold(QueueName queue, Map<QuotaResource, Double> amounts) {
    if (!books.tree().isLeaf(queue)) {
      throw new IllegalArgumentException(
          "jobs must stand in a queue that has no parts, but '%s' is none".formatted(queue));
    }
    List<QuotaResource> resources = books.tree().resources();
    long[] charge = new long[resources.size()];
    amounts.forEach(
        (resource, amount) -> {
          requireUsage(queue, resource, amount);
          if (resources.contains(resource)) {
            charge[resources.indexOf(resource)] = resource.smallest(amount);
          }
        });
    books.account(queue).hold(new Charge(charge), true, 1);
  }

  private static void requireUsage(QueueName queue, QuotaResource resource, double amount) {
    if (!(amount >= 0 && amount < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "what queue '%s' holds of %s must be finite and at least 0, but was %s"
              .formatted(queue, resource, amount));
    }
  }

  /**
   * Returns the share of a queue; {@link DominantShare#NONE} at the top. Ties go to the first
   * resource.
   *
   * @throws IllegalArgumentException if the tree has no such queue
   */
  DominantShare of(QueueName name) {
    if (books.tree().find(name).isEmpty()) {
      throw new IllegalArgumentException("there is no queue '" + name + "'");
    }
    return books.account(name).borrowedShare();
  }
}
