package io.github.liquidscheduler.scheduler.policy;

import io.github.liquidscheduler.job.QueueName;

/**
 * The order of queues; in a queue tree the order of siblings at every level, in place of the tree's
 * own, among those whose next jobs stay within their shares, and then among the others. The
 * scheduler asks for a queue's rank whenever a job of it is submitted, starts, stops or ends, also
 * within one event: each start may change the order.
 */
@FunctionalInterface
public interface QueueOrder {

  /**
   * Returns the queue's rank, lowest first. Jobs of queues of equal rank share one order by their
   * own ranks. The answer must depend on the queue alone.
   */
  double rank(QueueView queue);

  /** A queue as policies see it, descendants included: its usage and its numbers of jobs. */
  interface QueueView {

    /** Returns the name. */
    QueueName name();

    /** Returns the number of waiting jobs, those gathered for a batch plan included. */
    int waiting();

    /** Returns the number of running jobs. */
    int running();

    /**
     * Returns the GPUs that running jobs hold or will hold after resizing, a share counting as one.
     */
    int gpus();
  }
}
