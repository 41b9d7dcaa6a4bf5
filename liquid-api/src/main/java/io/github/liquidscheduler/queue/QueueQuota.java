package io.github.liquidscheduler.queue;

/**
 * The quota of a queue for one resource, in GPUs, cores or bytes. Whatever has no end is {@link
 * Double#POSITIVE_INFINITY}.
 *
 * @param guaranteed what it gets back at once when it needs it, from any holder; also called
 *     deserved or nominal quota
 * @param limit what its jobs may hold at most, all together; at least what is guaranteed
 * @param weight by what weight the queue takes part when its siblings divide what is left over; 0
 *     if it never does
 * @param lendingLimit how much of what is guaranteed others may hold while the queue does not need
 *     it
 */
public record QueueQuota(double guaranteed, double limit, double weight, double lendingLimit) {

  /** Nothing is guaranteed, nothing limited; the queue takes part by a weight of 1. */
  public static final QueueQuota BEST_EFFORT = guaranteed(0);

  /** All that there is is guaranteed. */
  public static final QueueQuota UNLIMITED = guaranteed(Double.POSITIVE_INFINITY);

  /**
   * Checks the amounts.
   *
   * @throws IllegalArgumentException if one is negative or NaN, the weight is infinite, or the
   *     limit is below what is guaranteed while that is finite
   */
  public QueueQuota {
    requireAmount("a guaranteed quota", guaranteed);
    requireAmount("a limit", limit);
    requireAmount("a weight", weight);
    requireAmount("a lending limit", lendingLimit);
    if (weight == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("a weight must be finite");
    }
    if (guaranteed > limit && guaranteed < Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException(
          "a limit must be at least what is guaranteed, %s, but was %s"
              .formatted(guaranteed, limit));
    }
  }

  /** Returns a quota with so much guaranteed, no limits, and a weight of 1. */
  public static QueueQuota guaranteed(double guaranteed) {
    return new QueueQuota(guaranteed, Double.POSITIVE_INFINITY, 1, Double.POSITIVE_INFINITY);
  }

  /** Returns this quota with another limit. */
  public QueueQuota withLimit(double limit) {
    return new QueueQuota(guaranteed, limit, weight, lendingLimit);
  }

  /** Returns this quota with another weight. */
  public QueueQuota withWeight(double weight) {
    return new QueueQuota(guaranteed, limit, weight, lendingLimit);
  }

  /** Returns this quota with another lending limit. */
  public QueueQuota withLendingLimit(double lendingLimit) {
    return new QueueQuota(guaranteed, limit, weight, lendingLimit);
  }

  private static void requireAmount(String what, double amount) {
    if (!(amount >= 0)) {
      throw new IllegalArgumentException(what + " must be at least 0, but was " + amount);
    }
  }
}
