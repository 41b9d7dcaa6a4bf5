package io.github.liquidscheduler.scheduler.quota;

import java.util.Comparator;

/**
 * The next job of a leaf, ordered by rank and age.
 *
 * @param queue the leaf
 * @param charge the amounts that it requests at its smallest size
 * @param rank its rank by the policy; the lowest goes first
 * @param sequence its number among all submissions
 */
public record NextJob(QueueAccount queue, Charge charge, long rank, long sequence)
    implements Comparable<NextJob> {

  private static final Comparator<NextJob> BY_TURN =
      Comparator.comparingLong(NextJob::rank).thenComparingLong(NextJob::sequence);

  @Override
  public int compareTo(NextJob other) {
    return BY_TURN.compare(this, other);
  }
}
