package io.github.liquidscheduler.scheduler.share;

import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The {@link DominantShare} of each queue of a tree, for what its jobs hold.
 *
 * <p>A queue's own is what is guaranteed to it; of a queue with parts, what is guaranteed to it
 * beyond its parts, and what these may lend. What a queue holds within what it may not lend is
 * hidden from its parent; all else counts there. It may borrow what its limit leaves above its
 * guarantee, and what its parent can lend. (The quota arithmetic of Kueue's cohorts, where a
 * cohort's nominal quota is in addition to that of its parts.) GPUs of several models are added up,
 * as flavours of a resource are; all GPUs together are counted apart from them.
 *
 * <p>A question costs O(n) for n queues and each resource, times the depth of the tree.
 */
public final class DominantShares {

  private final QueueTree tree;
  private final Map<QueueName, Map<QuotaResource, Double>> held;

  /**
   * Makes the shares.
   *
   * @param held what the jobs in each leaf hold, in GPUs, cores or bytes; nothing where it is
   *     missing
   * @throws IllegalArgumentException if a queue is not a leaf of the tree, or an amount is
   *     negative, infinite or NaN
   */
  public DominantShares(QueueTree tree, Map<QueueName, Map<QuotaResource, Double>> held) {
    this.tree = tree;
    this.held = new LinkedHashMap<>(held);
    this.held.forEach(this::requireUsage);
  }

  private void requireUsage(QueueName queue, Map<QuotaResource, Double> amounts) {
    if (!tree.isLeaf(queue)) {
      throw new IllegalArgumentException(
          "jobs must stand in a queue that has no parts, but '%s' is none".formatted(queue));
    }
    amounts.forEach(
        (resource, amount) -> {
          if (!(amount >= 0 && amount < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(
                "what queue '%s' holds of %s must be finite and at least 0, but was %s"
                    .formatted(queue, resource, amount));
          }
        });
  }

  /**
   * Returns the share of a queue. At the top nothing can be borrowed. Of equal shares that of the
   * first resource counts.
   *
   * @throws IllegalArgumentException if the tree has no such queue
   */
  public DominantShare of(QueueName name) {
    QueueSpec queue = find(name);
    DominantShare largest = DominantShare.NONE;
    if (queue.parent().isPresent()) {
      QueueSpec parent = find(queue.parent().get());
      for (List<QuotaResource> pools : poolsOfResources()) {
        DominantShare share = share(queue, parent, pools);
        largest = share.thousandths() > largest.thousandths() ? share : largest;
      }
    }
    return largest;
  }

  private QueueSpec find(QueueName name) {
    return tree.find(name)
        .orElseThrow(() -> new IllegalArgumentException("there is no queue '" + name + "'"));
  }

  /** Returns the resources of which several pools count as one: GPUs by model. */
  private List<List<QuotaResource>> poolsOfResources() {
    Map<Object, List<QuotaResource>> pools = new LinkedHashMap<>();
    for (QuotaResource resource : tree.resources()) {
      Object one = resource.model().isPresent() ? resource.kind() : resource;
      pools.merge(one, List.of(resource), DominantShares::joined);
    }
    return List.copyOf(pools.values());
  }

  private static List<QuotaResource> joined(List<QuotaResource> some, List<QuotaResource> more) {
    return Stream.concat(some.stream(), more.stream()).toList();
  }

  /** Returns the share of what counts as one resource; none if nothing of it can be lent. */
  private DominantShare share(QueueSpec queue, QueueSpec parent, List<QuotaResource> pools) {
    double borrowed = 0;
    double lendable = 0;
    for (QuotaResource pool : pools) {
      borrowed += above(usage(queue, pool), own(queue, pool));
      lendable += potential(parent, pool);
    }
    if (borrowed == 0 || lendable == 0) {
      return DominantShare.NONE;
    }
    QuotaResource first = pools.get(0);
    double weight = tree.quota(queue, first).weight();
    return new DominantShare(Optional.of(first.kind()), borrowed, lendable, weight);
  }

  /** Returns what is the queue's own, without its parent. */
  private double own(QueueSpec queue, QuotaResource resource) {
    double ofParts = 0;
    double lent = 0;
    for (QueueSpec child : tree.children(queue.name())) {
      ofParts += tree.quota(child, resource).guaranteed();
      lent += own(child, resource) - local(child, resource);
    }
    return above(tree.quota(queue, resource).guaranteed(), ofParts) + lent;
  }

  /** Returns what the queue may not lend. */
  private double local(QueueSpec queue, QuotaResource resource) {
    return above(own(queue, resource), tree.quota(queue, resource).lendingLimit());
  }

  private double usage(QueueSpec queue, QuotaResource resource) {
    double usage = held.getOrDefault(queue.name(), Map.of()).getOrDefault(resource, 0.0);
    for (QueueSpec child : tree.children(queue.name())) {
      usage += above(usage(child, resource), local(child, resource));
    }
    return usage;
  }

  /** Returns what there would be for the queue if nobody held anything. */
  private double potential(QueueSpec queue, QuotaResource resource) {
    double own = own(queue, resource);
    if (queue.parent().isEmpty()) {
      return own;
    }
    QueueQuota quota = tree.quota(queue, resource);
    double local = local(queue, resource);
    double mayBorrow = above(quota.limit(), quota.guaranteed());
    double fromParent = potential(find(queue.parent().get()), resource);
    return local + Math.min(fromParent, own - local + mayBorrow);
  }

  /** Returns by how much an amount is above another; 0 if that has no end. */
  private static double above(double amount, double other) {
    return amount > other ? amount - other : 0;
  }
}
