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

/*
 * Idea: amounts are arrays of longs in the smallest units, indexed by resource, so that sums are
 * exact and comparisons cheap.
 * Invariants: held >= fixed >= 0, all of them sums over the subtree; Long.MAX_VALUE stands for
 * unlimited; share is that of the last division. QueueLaws.
 * Cost: O(resources) for each call, O(1) for a single amount; status allocates a map.
 */
/**
 * The quotas, usage, requests and share of one queue, descendants included: smallest units, indexed
 * by resource. Mutable.
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
  private final SaturatedSums requested;
  private final long[] share;

  /**
   * Makes the amounts of an idle queue.
   *
   * @param queue its index in the tree
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
    requested = new SaturatedSums(size);
    share = new long[size];
    for (int resource = 0; resource < size; resource++) {
      guaranteed[resource] = resources.get(resource).smallest(quotas.get(resource).guaranteed());
      limit[resource] = resources.get(resource).smallest(quotas.get(resource).limit());
    }
  }

  /** Returns the number of counted resources. */
  int resources() {
    return held.length;
  }

  /** Returns true if the queue's own quotas count a resource. */
  boolean counts(QuotaResource resource) {
    return spec.quotas().containsKey(resource);
  }

  /** Returns the stated quota of a resource. */
  QueueQuota quota(int resource) {
    return quotas.get(resource);
  }

  long guaranteed(int resource) {
    return guaranteed[resource];
  }

  long limit(int resource) {
    return limit[resource];
  }

  /** Replaces the stated guarantee and limit by effective ones. */
  void setQuota(int resource, long guaranteed, long limit) {
    this.guaranteed[resource] = guaranteed;
    this.limit[resource] = limit;
  }

  /** Returns true if any resource is limited. */
  boolean isLimited() {
    for (long most : limit) {
      if (most < Long.MAX_VALUE) {
        return true;
      }
    }
    return false;
  }

  /** Adds {@code times} times a charge to the usage. */
  void hold(Charge charge, boolean preemptible, int times) {
    charge.addTo(held, times);
    if (!preemptible) {
      charge.addTo(fixed, times);
    }
  }

  long held(int resource) {
    return held[resource];
  }

  /** Returns the guarantee minus the usage of non-preemptible jobs. */
  long leftOfGuaranteed(int resource) {
    return guaranteed[resource] - fixed[resource];
  }

  /** Adds {@code times} times a charge to the requests. */
  void request(Charge charge, int times) {
    requested.add(charge, times);
  }

  /** Returns the fair share of the last division. */
  long share(int resource) {
    return share[resource];
  }

  /** Returns the shares of all resources; read only. */
  long[] shares() {
    return share;
  }

  /** Sets the share; returns true if it has changed. */
  boolean setShare(int resource, long amount) {
    boolean isAnother = share[resource] != amount;
    share[resource] = amount;
    return isAnother;
  }

  /** Returns the larger of share and guarantee, capped by the limit. */
  long due(int resource) {
    return Math.min(limit[resource], Math.max(guaranteed[resource], share[resource]));
  }

  /** Returns true if the queue stays within its share with {@code more}. */
  boolean isInShare(Charge more) {
    return staysWithin(share, more);
  }

  /** Returns true if the queue stays within its guarantee with {@code more}. */
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
   * Returns the largest usage as a fraction of the amount due, over all resources; infinite if a
   * resource is used of which nothing is due.
   *
   * @param more additional usage, if any
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

  /** Returns the amount due; the cluster's capacity if unlimited. */
  private long dueOfTotal(int resource) {
    return due(resource) == Long.MAX_VALUE ? books.total(resource) : due(resource);
  }

  /** Returns true if the serving order depends on the cluster's capacity. */
  boolean dependOnTotals() {
    return share.length != 1 || due(0) == Long.MAX_VALUE;
  }

  /**
   * Returns the largest share as a fraction of the cluster's capacity, over all resources; the bare
   * amount if only one resource is counted, since nothing is compared then.
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
   * Returns the queue's claim on a resource that is divided in units of {@code grain}.
   *
   * @param kept the amount that it keeps without any request
   */
  Claim claim(int resource, double grain, long kept) {
    QueueQuota quota = quotas.get(resource);
    double end = Double.POSITIVE_INFINITY;
    return new Claim(
        quota.guaranteed() < end ? guaranteed[resource] / grain : end,
        quota.limit() < end ? limit[resource] / grain : end,
        quota.weight(),
        spec.priority(),
        Math.max(kept, Math.max(held[resource], requested.of(resource))) / grain,
        books.recentPart(queue, resource));
  }

  /**
   * Returns the usage and the shares of the last division.
   *
   * @param stopping what jobs that are leaving hold besides
   */
  QueueStatus status(Charge stopping) {
    Map<QuotaResource, QueueStatus.Usage> usage = new TreeMap<>();
    for (int resource = 0; resource < held.length; resource++) {
      QuotaResource counted = books.tree().resources().get(resource);
      double unit = counted.perUnit();
      usage.put(
          counted,
          new QueueStatus.Usage(
              held[resource] / unit,
              stopping.of(resource) / unit,
              fixed[resource] / unit,
              requested.of(resource) / unit,
              share[resource] / unit,
              books.recentPart(queue, resource)));
    }
    return new QueueStatus(spec.name(), usage);
  }
}
