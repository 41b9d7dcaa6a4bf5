package io.github.liquidscheduler.scheduler.quota;

import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueStatus;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.scheduler.share.Claim;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What one queue may hold, holds and asks for of each resource, and what is due to it, its parts
 * included: smallest amounts, by the number of the resource. Mutable.
 */
final class QueueAmounts {

  private final QueueBooks books;
  private final QueueSpec spec;
  private final int queue;
  private final List<QueueQuota> quotas;
  private final long[] guaranteed;
  private final long[] limit;
  private final long[] held;
  private final long[] fixed;
  private final long[] requested;
  private final long[] share;

  /**
   * Makes the amounts of a queue that holds nothing.
   *
   * @param queue its number in the tree
   */
  QueueAmounts(QueueBooks books, QueueSpec spec, int queue) {
    this.books = books;
    this.spec = spec;
    this.queue = queue;
    List<QuotaResource> resources = books.tree().resources();
    quotas = resources.stream().map(resource -> books.tree().quota(spec, resource)).toList();
    int size = resources.size();
    guaranteed = new long[size];
    limit = new long[size];
    held = new long[size];
    fixed = new long[size];
    requested = new long[size];
    share = new long[size];
    for (int resource = 0; resource < size; resource++) {
      guaranteed[resource] = resources.get(resource).smallest(quotas.get(resource).guaranteed());
      limit[resource] = resources.get(resource).smallest(quotas.get(resource).limit());
    }
  }

  /** Returns how many resources are counted. */
  int resources() {
    return held.length;
  }

  /** Returns true if the queue's own quotas count a resource. */
  boolean counts(QuotaResource resource) {
    return spec.quotas().containsKey(resource);
  }

  /** Returns the quota of a resource as it was stated. */
  QueueQuota quota(int resource) {
    return quotas.get(resource);
  }

  long guaranteed(int resource) {
    return guaranteed[resource];
  }

  long limit(int resource) {
    return limit[resource];
  }

  /** Has a queue be guaranteed, and limited to, other amounts than were stated. */
  void setQuota(int resource, long guaranteed, long limit) {
    this.guaranteed[resource] = guaranteed;
    this.limit[resource] = limit;
  }

  /** Returns true if it may not hold any amount of everything. */
  boolean isLimited() {
    for (long most : limit) {
      if (most < Long.MAX_VALUE) {
        return true;
      }
    }
    return false;
  }

  /** Holds, asks for and is due the same as the same queue of an equal tree. */
  void copyFrom(QueueAmounts other) {
    System.arraycopy(other.held, 0, held, 0, held.length);
    System.arraycopy(other.fixed, 0, fixed, 0, fixed.length);
    System.arraycopy(other.requested, 0, requested, 0, requested.length);
    System.arraycopy(other.share, 0, share, 0, share.length);
  }

  /** Notes that a job starts to hold something, or with -1 that it ends. */
  void hold(Charge charge, boolean preemptible, int times) {
    charge.addTo(held, times);
    if (!preemptible) {
      charge.addTo(fixed, times);
    }
  }

  long held(int resource) {
    return held[resource];
  }

  /** Returns how much of what is guaranteed is not held by jobs that may not be stopped. */
  long leftOfGuaranteed(int resource) {
    return guaranteed[resource] - fixed[resource];
  }

  /** Notes that a job wants so much, or with -1 that it no longer does. */
  void request(Charge charge, int times) {
    charge.addTo(requested, times);
  }

  /** Returns what the queue should have if all that there is were divided now. */
  long share(int resource) {
    return share[resource];
  }

  /** Returns its shares of all resources; not to be changed. */
  long[] shares() {
    return share;
  }

  /** Has its share be so much; returns whether it was another. */
  boolean setShare(int resource, long amount) {
    boolean isAnother = share[resource] != amount;
    share[resource] = amount;
    return isAnother;
  }

  /** Returns its share or what is guaranteed, whichever is more, but no more than its limit. */
  long due(int resource) {
    return Math.min(limit[resource], Math.max(guaranteed[resource], share[resource]));
  }

  /** Returns true if the queue would hold no more than its share with a job besides. */
  boolean isInShare(Charge more) {
    return staysWithin(share, more);
  }

  /** Returns true if the queue would hold no more than is guaranteed with a job besides. */
  boolean isGuaranteed(Charge more) {
    return staysWithin(guaranteed, more);
  }

  private boolean staysWithin(long[] most, Charge more) {
    for (int resource = 0; resource < held.length; resource++) {
      if (more.of(resource) > 0 && more.of(resource) > most[resource] - held[resource]) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the largest part that the queue holds of what is due to it, of any resource; infinite
   * if nothing is due and it holds something.
   *
   * @param more what it would hold besides, if anything
   */
  double dominantShare(@Nullable Charge more) {
    double largest = 0;
    for (int resource = 0; resource < held.length; resource++) {
      long has = held[resource] + (more == null ? 0 : more.of(resource));
      if (has > 0) {
        largest = Math.max(largest, has / (double) dueOfTotal(resource));
      }
    }
    return largest;
  }

  /** Returns what is due to it; of what has no end all that there is. */
  private long dueOfTotal(int resource) {
    return due(resource) == Long.MAX_VALUE ? books.total(resource) : due(resource);
  }

  /** Returns true if what orders queues depends on how much there is in all. */
  boolean dependOnTotals() {
    return share.length != 1 || due(0) == Long.MAX_VALUE;
  }

  /**
   * Returns the largest share that it has of any resource, as a part of all that there is; where
   * only one resource is counted, which needs no comparison with others, the amount.
   */
  double largestShare() {
    if (share.length == 1) {
      return share[0];
    }
    double largest = 0;
    for (int resource = 0; resource < share.length; resource++) {
      long total = books.total(resource);
      largest = Math.max(largest, total == 0 ? 0 : share[resource] / (double) total);
    }
    return largest;
  }

  /**
   * Returns what the queue claims of a resource of which {@code grain} are handed out together.
   *
   * @param kept what it keeps even if nobody asks for it
   */
  Claim claim(int resource, double grain, long kept) {
    QueueQuota quota = quotas.get(resource);
    double end = Double.POSITIVE_INFINITY;
    return new Claim(
        quota.guaranteed() < end ? guaranteed[resource] / grain : end,
        quota.limit() < end ? limit[resource] / grain : end,
        quota.weight(),
        spec.priority(),
        Math.max(kept, Math.max(held[resource], requested[resource])) / grain,
        books.recentPart(queue, resource));
  }

  /** Returns what the queue holds, and what is due to it as it was divided last. */
  QueueStatus status() {
    Map<QuotaResource, QueueStatus.Usage> usage = new TreeMap<>();
    for (int resource = 0; resource < held.length; resource++) {
      QuotaResource counted = books.tree().resources().get(resource);
      double unit = counted.perUnit();
      usage.put(
          counted,
          new QueueStatus.Usage(
              held[resource] / unit,
              fixed[resource] / unit,
              requested[resource] / unit,
              share[resource] / unit,
              books.recentPart(queue, resource)));
    }
    return new QueueStatus(spec.name(), usage);
  }
}
