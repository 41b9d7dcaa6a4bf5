package io.github.liquidscheduler.scheduler.order;

import java.util.Comparator;

/** A waiting job with what its turn depends on. */
public interface TurnJob {

  /** The order inside a queue: by rank, then by submission. */
  Comparator<TurnJob> IN_QUEUE =
      Comparator.comparingLong(TurnJob::rank).thenComparingLong(TurnJob::sequence);

  /** Returns the queue in which it waits, a leaf. */
  TurnQueue queue();

  /** Returns its rank by the policy, lowest first. */
  long rank();

  /** Returns the number of earlier submissions; unique. */
  long sequence();

  /** Returns the amounts that a start takes, at the smallest size. */
  Amounts asks();
}
