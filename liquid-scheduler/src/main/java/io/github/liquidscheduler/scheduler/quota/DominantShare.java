package io.github.liquidscheduler.scheduler.quota;

import io.github.liquidscheduler.queue.QuotaResource;
import java.util.Optional;

/**
 * The borrowed amount of a queue relative to the lendable amount of its ancestors, for the resource
 * where this fraction, divided by the weight, is largest: Kueue's dominant resource share.
 *
 * @param resource the dominant resource; empty if the queue borrows nothing lendable
 * @param borrowed the usage above the queue's own quota, in GPUs, cores or bytes
 * @param lendable the amount lendable below the queue's parent in an idle cluster
 * @param weight the queue's weight, at least 0
 */
public record DominantShare(
    Optional<QuotaResource.Kind> resource, double borrowed, double lendable, double weight)
    implements Comparable<DominantShare> {

  private static final double PER_MILLE = 1000;

  /** The share of a queue that borrows nothing. */
  static final DominantShare NONE = new DominantShare(Optional.empty(), 0, 1, 1);

  /** Returns true if the queue borrows something lendable. */
  public boolean isBorrowing() {
    return borrowed > 0;
  }

  /**
   * Returns the borrowed fraction divided by the weight, in thousandths: 0 if nothing is borrowed,
   * infinite if something is and the weight is 0.
   */
  public double thousandths() {
    return isBorrowing() ? PER_MILLE * borrowed / (lendable * weight) : 0;
  }

  /** Orders by share; borrowing queues of weight 0 by their borrowed fraction. */
  @Override
  public int compareTo(DominantShare other) {
    int byShare = Double.compare(thousandths(), other.thousandths());
    return byShare == 0 && Double.isInfinite(thousandths())
        ? Double.compare(borrowed / lendable, other.borrowed / other.lendable)
        : byShare;
  }
}
