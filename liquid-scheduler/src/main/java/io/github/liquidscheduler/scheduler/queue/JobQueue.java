package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.scheduler.policy.QueueOrder;
import io.github.liquidscheduler.scheduler.policy.QueueView;
import io.github.liquidscheduler.scheduler.quota.QueueAccount;
import org.jspecify.annotations.Nullable;

/**
 * A queue as policies see it, with its rank. A single queue of constant rank if the policy does not
 * order queues.
 */
final class JobQueue implements QueueView {

  private final QueueName name;
  private final @Nullable QueueOrder order;
  private final @Nullable QueueAccount account;
  private int waiting;
  private int running;
  private int gpus;
  private double rank;
  private boolean isRanked;

  JobQueue(QueueName name, @Nullable QueueOrder order) {
    this(name, order, null);
  }

  /**
   * Makes an empty queue.
   *
   * @param order the policy's order of queues, if any
   * @param account the account in a queue tree, which then ranks the queue
   */
  JobQueue(QueueName name, @Nullable QueueOrder order, @Nullable QueueAccount account) {
    this.name = name;
    this.order = order;
    this.account = account;
  }

  /** Returns the account; null without a queue tree. */
  @Nullable QueueAccount account() {
    return account;
  }

  /** Adds to the number of waiting jobs. */
  void countWaiting(int one) {
    waiting += one;
    isRanked = false;
  }

  /** Counts a start on a number of GPUs, or with negative arguments a stop. */
  void countRunning(int one, int itsGpus) {
    running += one;
    gpus += itsGpus;
    isRanked = false;
  }

  /** Returns its rank. The policy is asked at the first call after a change of a count. */
  double rank() {
    if (account != null) {
      return account.position();
    }
    if (!isRanked && order != null) {
      rank = order.rank(this);
      isRanked = true;
    }
    return rank;
  }

  boolean isEmpty() {
    return waiting + running == 0;
  }

  @Override
  public QueueName name() {
    return name;
  }

  @Override
  public int waiting() {
    return waiting;
  }

  @Override
  public int running() {
    return running;
  }

  @Override
  public int gpus() {
    return gpus;
  }
}
