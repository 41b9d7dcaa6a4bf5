package io.github.liquidscheduler.queue;

/** By which rules the jobs of a queue take back what those of other queues hold. */
public enum Reclaiming {
  /** By what is due to each queue when all that there is is divided (KAI-Scheduler). */
  COMPUTED_SHARES,
  /** Not at all: who holds something keeps it until it ends. */
  NEVER
}
