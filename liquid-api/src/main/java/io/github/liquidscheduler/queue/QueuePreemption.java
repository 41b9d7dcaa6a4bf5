package io.github.liquidscheduler.queue;

import java.util.Objects;
import java.util.Optional;

/**
 * The jobs that a queue's jobs may pre-empt where queues {@linkplain Reclaiming#lends() lend} each
 * other their guaranteed quota (the preemption of a Kueue {@code ClusterQueue}). Computed shares do
 * not heed it.
 *
 * @param own which jobs of the queue itself
 * @param others which jobs of other queues that borrow, so that the queue, or what it is a part of,
 *     gets back its own
 * @param whileBorrowing up to which priority jobs of other queues that borrow may be stopped, if
 *     theirs is lower, also for a job with which the queue borrows; never if empty
 */
public record QueuePreemption(Victims own, Victims others, Optional<Integer> whileBorrowing) {

  /** Own jobs of lower priority, any job of those who borrow what is the queue's own. */
  public static final QueuePreemption DEFAULT =
      new QueuePreemption(Victims.LOWER_PRIORITY, Victims.ANY, Optional.empty());

  /** Nobody. */
  public static final QueuePreemption NONE =
      new QueuePreemption(Victims.NEVER, Victims.NEVER, Optional.empty());

  /**
   * Checks the rules.
   *
   * @throws IllegalArgumentException if any job of the queue itself may be stopped: two of them
   *     would stop each other in turns
   */
  public QueuePreemption {
    Objects.requireNonNull(own, "own");
    if (own == Victims.ANY) {
      throw new IllegalArgumentException(
          "jobs of a queue must be stopped for others of it by priority or age, but were by "
              + own);
    }
    Objects.requireNonNull(others, "others");
    Objects.requireNonNull(whileBorrowing, "whileBorrowing");
  }

  /** Returns the same, with other victims in the queue itself. */
  public QueuePreemption withOwn(Victims victims) {
    return new QueuePreemption(victims, others, whileBorrowing);
  }

  /** Returns the same, with other victims in other queues. */
  public QueuePreemption withOthers(Victims victims) {
    return new QueuePreemption(own, victims, whileBorrowing);
  }

  /** Returns the same, but that who borrows may have jobs stopped up to this priority. */
  public QueuePreemption withBorrowingUpTo(int priority) {
    return new QueuePreemption(own, others, Optional.of(priority));
  }
}
