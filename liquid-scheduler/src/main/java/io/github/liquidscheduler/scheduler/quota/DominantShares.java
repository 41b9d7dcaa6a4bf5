package io.github.liquidscheduler.scheduler.quota;

import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.queue.Reclaiming;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The {@link DominantShare} of each queue of a tree, for what its jobs hold.
 *
 * <p>A queue's own is what is guaranteed to it; of a queue with parts, what is guaranteed to it
 * beyond its parts, and what these may lend. What a queue holds within what it may not lend is
 * hidden from its parent; all else counts there. It may borrow what its limit leaves above its
 * guarantee, and what its parent can lend. (The quota arithmetic of Kueue's cohorts, where a
 * cohort's nominal quota is in addition to that of its parts.) GPUs of several models are added up,
 * as flavours of a resource are; all GPUs together are counted apart from them.
 */
public final class DominantShares {

  private final QueueBooks books;

  /**
   * Makes the shares.
   *
   * @param held what the jobs in each leaf hold, in GPUs, cores or bytes; nothing where it is
   *     missing
   * @throws IllegalArgumentException if a queue is not a leaf of the tree, or an amount is
   *     negative, infinite or NaN
   */
  public DominantShares(QueueTree tree, Map<QueueName, Map<QuotaResource, Double>> held) {
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
   * Returns the share of a queue. At the top nothing can be borrowed. Of equal shares that of the
   * first resource counts.
   *
   * @throws IllegalArgumentException if the tree has no such queue
   */
  public DominantShare of(QueueName name) {
    if (books.tree().find(name).isEmpty()) {
      throw new IllegalArgumentException("there is no queue '" + name + "'");
    }
    return books.account(name).lending().borrowedShare(HypotheticalUsage.toLend());
  }
}
