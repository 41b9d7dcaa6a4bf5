package io.github.liquidscheduler.scheduler.quota;

import io.github.liquidscheduler.queue.QuotaResource;
import java.util.Optional;

/**
 * How much a queue borrows of what its siblings and parents can lend it, of the resource of which
 * that is the largest part for its weight. (The dominant resource share of Kueue's fair sharing.)
 *
 * @param resource that resource; empty if the queue borrows nothing that can be lent
 * @param borrowed how much of it the queue holds above what is its own, in GPUs, cores or bytes
 * @param lendable how much of it there is to be lent below the queue's parent, if nobody held any
 * @param weight the queue's weight, at least 0
 */
public record DominantShare(
    Optional<QuotaResource.Kind> resource, double borrowed, double lendable, double weight)
    implements Comparable<DominantShare> {

  private static final double PER_MILLE = 1000;

  /** The share of a queue that borrows nothing. */
  static final DominantShare NONE = new DominantShare(Optional.empty(), 0, 1, 1);

  /** Returns true if the queue borrows something that can be lent. */
  public boolean isBorrowing() {
    return borrowed > 0;
  }

  /**
   * Returns the borrowed part of what can be lent, divided by the weight, in thousandths: 0 if
   * nothing is borrowed, infinite if something is and the weight is 0.
   */
  public double thousandths() {
    return isBorrowing() ? PER_MILLE * borrowed / (lendable * weight) : 0;
  }

  /** Orders by share; of queues without weight that borrow, by the part that they borrow. */
  @Override
  public int compareTo(DominantShare other) {
    int byShare = Double.compare(thousandths(), other.thousandths());
    return byShare == 0 && Double.isInfinite(thousandths())
        ? Double.compare(borrowed / lendable, other.borrowed / other.lendable)
        : byShare;
  }
}
