package io.github.liquidscheduler.scheduler.quota;

import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueStatus;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.scheduler.share.Claim;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the jobs of one queue, and of the queues that are a part of it, hold and ask for, beside
 * what it may hold. Mutable.
 */
public final class QueueAccount {

  private final QueueBooks books;
  private final QueueSpec spec;
  private final int index;
  private final @Nullable QueueAccount parent;
  private final int depth;
  private final List<QueueAccount> children = new ArrayList<>();
  private final List<QueueQuota> quotas;
  private final long[] guaranteed;
  private final long[] limit;
  private final long[] held;
  private final long[] fixed;
  private final long[] requested;
  private final long[] share;
  private int position;

  QueueAccount(QueueBooks books, QueueSpec spec, int index, @Nullable QueueAccount parent) {
    this.books = books;
    this.spec = spec;
    this.index = index;
    this.parent = parent;
    depth = parent == null ? 0 : parent.depth + 1;
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
    if (parent != null) {
      parent.children.add(this);
    }
  }

  /** Returns the name of the queue. */
  public QueueName name() {
    return spec.name();
  }

  /** Returns its number in the tree, by the order in which queues were named. */
  int index() {
    return index;
  }

  @Nullable QueueAccount parent() {
    return parent;
  }

  /** Returns whether it is a part of another queue. */
  public boolean isPart() {
    return parent != null;
  }

  int depth() {
    return depth;
  }

  int priority() {
    return spec.priority();
  }

  List<QueueAccount> children() {
    return children;
  }

  /** Returns where the queue stands among all in which jobs may stand; 0 for the first. */
  public int position() {
    return position;
  }

  void setPosition(int position) {
    this.position = position;
  }

  /** Notes that a job of this queue, a leaf, starts to hold something, or with -1 that it ends. */
  public void hold(Charge charge, boolean preemptible, int times) {
    books.change();
    for (QueueAccount queue = this; queue != null; queue = queue.parent) {
      charge.addTo(queue.held, times);
      if (!preemptible) {
        charge.addTo(queue.fixed, times);
      }
    }
  }

  /** Notes that a job of this queue, a leaf, wants so much, or with -1 that it no longer does. */
  public void request(Charge charge, int times) {
    books.change();
    for (QueueAccount queue = this; queue != null; queue = queue.parent) {
      charge.addTo(queue.requested, times);
    }
  }

  /** Returns why this queue, or one that it is a part of, may not hold a job as well, if so. */
  public Optional<QuotaExcess> excess(Charge asked, boolean preemptible) {
    for (QueueAccount queue = this; queue != null; queue = queue.parent) {
      for (int resource = 0; resource < held.length; resource++) {
        long amount = asked.of(resource);
        if (amount > 0 && amount > queue.limit[resource] - queue.held[resource]) {
          return Optional.of(queue.excess(resource, false, amount));
        }
        if (amount > 0
            && !preemptible
            && amount > queue.guaranteed[resource] - queue.fixed[resource]) {
          return Optional.of(queue.excess(resource, true, amount));
        }
      }
    }
    return Optional.empty();
  }

  private QuotaExcess excess(int resource, boolean isOfGuaranteed, long asked) {
    long most = isOfGuaranteed ? guaranteed[resource] : limit[resource];
    long has = isOfGuaranteed ? fixed[resource] : held[resource];
    QuotaResource what = books.tree().resources().get(resource);
    return new QuotaExcess(name(), what, isOfGuaranteed, asked, Math.max(0, most - has));
  }

  /** Returns what the queue holds, and what is due to it as it was divided last. */
  public QueueStatus status() {
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
              share[resource] / unit));
    }
    return new QueueStatus(name(), usage);
  }

  /** Returns how many resources are counted. */
  int resources() {
    return held.length;
  }

  long guaranteed(int resource) {
    return guaranteed[resource];
  }

  long held(int resource) {
    return held[resource];
  }

  /** Returns what the queue should have if all that there is were divided now. */
  long share(int resource) {
    return share[resource];
  }

  void setShare(int resource, long amount) {
    share[resource] = amount;
  }

  /** Returns its share or what is guaranteed, whichever is more, but no more than its limit. */
  long due(int resource) {
    return Math.min(limit[resource], Math.max(guaranteed[resource], share[resource]));
  }

  /** Returns what the queue claims of a resource of which {@code grain} are handed out together. */
  Claim claim(int resource, double grain) {
    QueueQuota quota = quotas.get(resource);
    double end = Double.POSITIVE_INFINITY;
    return new Claim(
        quota.guaranteed() < end ? guaranteed[resource] / grain : end,
        quota.limit() < end ? limit[resource] / grain : end,
        quota.weight(),
        spec.priority(),
        Math.max(held[resource], requested[resource]) / grain,
        0);
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

  /** Returns the largest share that it has of any resource, as a part of all that there is. */
  double largestShare() {
    double largest = 0;
    for (int resource = 0; resource < share.length; resource++) {
      long total = books.total(resource);
      largest = Math.max(largest, total == 0 ? 0 : share[resource] / (double) total);
    }
    return largest;
  }

  /** Returns whether the queue would hold no more than is guaranteed with a job besides. */
  boolean isGuaranteed(Charge more) {
    for (int resource = 0; resource < held.length; resource++) {
      if (more.of(resource) > 0 && more.of(resource) > guaranteed[resource] - held[resource]) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether the queue would hold no more than its share with a job besides. */
  public boolean isInShare(Charge more) {
    for (int resource = 0; resource < held.length; resource++) {
      if (more.of(resource) > 0 && more.of(resource) > share[resource] - held[resource]) {
        return false;
      }
    }
    return true;
  }
}
