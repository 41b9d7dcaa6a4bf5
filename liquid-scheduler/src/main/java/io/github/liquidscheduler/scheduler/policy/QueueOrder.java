package io.github.liquidscheduler.scheduler.policy;

/**
 * Which queue goes first. The scheduler asks for a queue's rank whenever a job of it is submitted,
 * starts, stops or ends, so within one event too: each start may change whose turn is next.
 */
@FunctionalInterface
public interface QueueOrder {

  /**
   * Returns the queue's rank: the lowest goes first. Jobs of queues of equal rank stand in one
   * order, by their own ranks. The answer must depend on nothing but the queue.
   */
  double rank(QueueView queue);
}
