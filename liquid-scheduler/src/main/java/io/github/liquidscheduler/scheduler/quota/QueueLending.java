package io.github.liquidscheduler.scheduler.quota;

import static java.util.Objects.requireNonNull;

import io.github.liquidscheduler.queue.QuotaResource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The amounts that one queue lends and borrows, by resource: Kueue's quota arithmetic in a tree of
 * cohorts. Mutable.
 */
final class QueueLending {

  private final QueueBooks books;
  private final QueueAccount queue;
  private final QueueAmounts amounts;
  private final GuaranteedUsage lent;
  private final GuaranteedUsage claimed;
  private final long[] lendable;
  private GuaranteedUsage idle;

  /** Makes the amounts of an idle queue. */
  QueueLending(QueueBooks books, QueueAccount queue, QueueAmounts amounts) {
    this.books = books;
    this.queue = queue;
    this.amounts = amounts;
    int size = amounts.resources();
    lent = new GuaranteedUsage(size);
    claimed = new GuaranteedUsage(size);
    lendable = new long[size];
    idle = lent;
  }

  /** Returns the larger of usage and unlendable quota. */
  GuaranteedUsage lent() {
    return lent;
  }

  /** Returns the unlendable quota, as if no job were there. */
  GuaranteedUsage idle() {
    return idle;
  }

  /** Returns the larger of usage, unlendable quota and the reservation for the next job. */
  GuaranteedUsage claimed() {
    return claimed;
  }

  /** Adds {@code times} times a charge to the usage of this leaf and its ancestors. */
  void hold(Charge charge, int times) {
    long[] lends = new long[lendable.length];
    charge.addTo(lends, times);
    long[] claims = lends.clone();
    for (@Nullable QueueAccount at = queue; at != null; at = at.parent()) {
      QueueLending lending = at.lending();
      for (int resource = 0; resource < lends.length; resource++) {
        lends[resource] = lending.lent.use(resource, lends[resource]);
        claims[resource] = lending.claimed.use(resource, claims[resource]);
      }
    }
    books.claim(claims);
  }

  /** Returns the usage of this leaf with its next job; nothing if that one exceeds the limit. */
  Charge usedWith(Charge asked) {
    long[] used = new long[lendable.length];
    for (int resource = 0; resource < used.length; resource++) {
      if (asked.of(resource) > amounts.limit(resource)) {
        return books.nothing();
      }
      used[resource] = Charge.sum(amounts.held(resource), asked.of(resource));
    }
    return new Charge(used);
  }

  /** Reserves this leaf's guarantee up to these amounts; unlendable quota stays reserved. */
  void reserve(Charge most) {
    for (int resource = 0; resource < lendable.length; resource++) {
      claim(resource, most.of(resource));
    }
  }

  private void claim(int resource, long most) {
    long amount = Math.max(lent.floor(resource), Math.min(most, amounts.guaranteed(resource)));
    if (amount == claimed.floor(resource)) {
      return;
    }
    long rise = claimed.setFloor(resource, amount);
    for (@Nullable QueueAccount at = queue.parent(); at != null; at = at.parent()) {
      rise = at.lending().claimed.use(resource, rise);
    }
    books.claim(resource, rise);
  }

  /** Returns true if a part of the guarantee is not lent. */
  boolean hasUnlendable() {
    for (int resource = 0; resource < lendable.length; resource++) {
      if (lent.floor(resource) > 0) {
        return true;
      }
    }
    return false;
  }

  /** Reserves the unlendable quota; children come first. */
  void reserveUnlendable() {
    for (int resource = 0; resource < lendable.length; resource++) {
      long amount = unlendable(resource);
      long lends = lent.setFloor(resource, amount);
      long claims = claimed.setFloor(resource, amount);
      for (@Nullable QueueAccount at = queue.parent(); at != null; at = at.parent()) {
        lends = at.lending().lent.use(resource, lends);
        claims = at.lending().claimed.use(resource, claims);
      }
      books.claim(resource, claims);
    }
  }

  private long unlendable(int resource) {
    QuotaResource counted = books.tree().resources().get(resource);
    long lending = counted.smallest(amounts.quota(resource).lendingLimit());
    long guaranteed = amounts.guaranteed(resource);
    return Math.max(0, (guaranteed == Long.MAX_VALUE ? 0 : guaranteed) - lending);
  }

  /** Computes the amount that the queue could borrow in an idle cluster; parents come first. */
  void measureLendable() {
    idle = lent.copy();
    for (int resource = 0; resource < lendable.length; resource++) {
      long guaranteed = amounts.guaranteed(resource);
      long ofParts = lent.used(resource);
      long own = guaranteed < Long.MAX_VALUE ? guaranteed - ofParts : Long.MAX_VALUE;
      long local = Math.max(0, lent.floor(resource) - ofParts);
      lendable[resource] = queue.isPart() ? withLoans(resource, own, local) : own;
    }
  }

  private long withLoans(int resource, long own, long local) {
    long beyond = Math.max(0, amounts.limit(resource) - amounts.guaranteed(resource));
    long most = Charge.sum(own - local, beyond);
    return Charge.sum(local, Math.min(ofParent(resource), most));
  }

  /** Returns the amount lendable below its parent in an idle cluster. */
  private long ofParent(int resource) {
    return requireNonNull(queue.parent()).lending().lendable[resource];
  }

  /** Returns the amount of a resource that the queue would borrow. */
  long borrowed(int resource, HypotheticalUsage use) {
    return Math.max(0, use.of(queue).used(resource) - amounts.guaranteed(resource));
  }

  /**
   * Returns the dominant share of the borrowed amounts; none at the top. Ties go to the first
   * resource.
   */
  DominantShare borrowedShare(HypotheticalUsage use) {
    DominantShare largest = DominantShare.NONE;
    for (int[] pool : queue.isPart() ? books.pools() : new int[0][]) {
      DominantShare share = borrowedShare(pool, use);
      largest = share.compareTo(largest) > 0 ? share : largest;
    }
    return largest;
  }

  private DominantShare borrowedShare(int[] pool, HypotheticalUsage use) {
    double borrowed = 0;
    double all = 0;
    for (int resource : pool) {
      borrowed += borrowed(resource, use);
      all += ofParent(resource);
    }
    if (borrowed == 0 || all == 0) {
      return DominantShare.NONE;
    }
    QuotaResource counted = books.tree().resources().get(pool[0]);
    double unit = counted.perUnit();
    double weight = amounts.quota(pool[0]).weight();
    return new DominantShare(Optional.of(counted.kind()), borrowed / unit, all / unit, weight);
  }
}
