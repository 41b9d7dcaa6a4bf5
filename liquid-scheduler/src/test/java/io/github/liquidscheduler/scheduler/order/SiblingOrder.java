package io.github.liquidscheduler.scheduler.order;

import java.util.Comparator;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * The order of siblings in a tree of queues, each with the first candidate of its subtree: the
 * tree's own, or that of a policy that orders queues.
 */
@FunctionalInterface
public interface SiblingOrder extends Comparator<SiblingOrder.Subtree> {

  /**
   * One of several siblings.
   *
   * @param queue the queue
   * @param first the first candidate in it and its descendants
   */
  record Subtree(TurnQueue queue, TurnJob first) {}

  /** Returns the order of the first candidates, whatever the queues. */
  static SiblingOrder byJobs() {
    return (one, other) -> TurnJob.IN_QUEUE.compare(one.first(), other.first());
  }

  /**
   * Returns the order of a policy: by the rank of the queue, lowest first. Queues of equal rank
   * share one order of jobs.
   */
  static SiblingOrder byPolicy(ToDoubleFunction<TurnQueue> rank) {
    return by(subtree -> rank.applyAsDouble(subtree.queue()));
  }

  /**
   * Returns the order by a key of the subtree, lowest first; equal ones by their jobs. Lent quota
   * takes the height of the subtree that lends to the job, dominant shares what the queue borrows
   * after the start.
   */
  static <K extends Comparable<K>> SiblingOrder by(Function<Subtree, K> key) {
    Comparator<Subtree> order = Comparator.comparing(key);
    return order.thenComparing(byJobs())::compare;
  }

  /**
   * Returns the order by computed shares (KAI-Scheduler): first queues that stay within their
   * guarantee with the candidate; then by priority; then by the smallest fraction of the amount due
   * with the candidate, and without it; then by the smaller share; then as defined.
   *
   * @param capacity the cluster's capacity
   */
  static SiblingOrder byShares(Amounts capacity) {
    SiblingShares shares = new SiblingShares(capacity);
    Comparator<Subtree> order =
        Comparator.comparing(shares::isBeyondGuaranteed)
            .thenComparing(subtree -> -(long) subtree.queue().priority())
            .thenComparingDouble(shares::partWithCandidate)
            .thenComparingDouble(shares::part)
            .thenComparingDouble(shares::largestShare)
            .thenComparingInt(subtree -> subtree.queue().index());
    return order::compare;
  }
}
