package io.github.liquidscheduler.queue;

/** By which rules the jobs of a queue take back what those of other queues hold. */
public enum Reclaiming {
  /** By the fair share of each queue in all resources (KAI-Scheduler). */
  COMPUTED_SHARES,
  /** Not at all: who holds something keeps it until it ends. */
  NEVER,
  /**
   * Queues lend each other what is guaranteed to them, first come, first served. Who borrows gives
   * back to those who borrow nothing, as each {@link QueuePreemption} says (Kueue).
   */
  LENT_QUOTA,
  /**
   * The same, but that who borrows more for its weight gives to who borrows less (Kueue's fair
   * sharing).
   */
  DOMINANT_SHARES;

  /**
   * Returns true if queues lend each other what is guaranteed to them. Then a queue at the top
   * holds no more than its guarantee, since nobody is beside it to lend it anything.
   */
  public boolean lends() {
    return this == LENT_QUOTA || this == DOMINANT_SHARES;
  }
}
