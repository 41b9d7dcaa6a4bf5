package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.scheduler.policy.QueueOrder;
import io.github.liquidscheduler.scheduler.policy.QueueView;
import io.github.liquidscheduler.scheduler.quota.QueueAccount;
import org.jspecify.annotations.Nullable;

/**
 * A queue as its policy sees it, and the rank that the policy gives it. Where policies do not order
 * queues, all jobs are in one, whose rank never changes.
 */
final class JobQueue implements QueueView {

  private final QueueName name;
  private final @Nullable QueueOrder order;
  private final @Nullable QueueAccount account;
  private int waiting;
  private int running;
  private int gpus;
  private double rank;
  private int number;

  JobQueue(QueueName name, @Nullable QueueOrder order) {
    this(name, order, null);
  }

  /**
   * Makes a queue without jobs.
   *
   * @param order what ranks it, if the policy does
   * @param account what it holds and may hold, if it is in a tree of queues, which then ranks it
   */
  JobQueue(QueueName name, @Nullable QueueOrder order, @Nullable QueueAccount account) {
    this.name = name;
    this.order = order;
    this.account = account;
    changed();
  }

  /** Returns a queue of as many jobs, as long as these come without being counted. */
  JobQueue copy(@Nullable QueueAccount account) {
    JobQueue copy = new JobQueue(name, order, account);
    copy.waiting = waiting;
    copy.running = running;
    copy.gpus = gpus;
    copy.rank = rank;
    return copy;
  }

  /** Returns its number among all queues of a table, which has numbered them. */
  int number() {
    return number;
  }

  void number(int number) {
    this.number = number;
  }

  /** Returns what it holds and may hold; null without a tree of queues. */
  @Nullable QueueAccount account() {
    return account;
  }

  /** Counts a job that comes to wait, or with -1 one that waits no longer. */
  void countWaiting(int one) {
    waiting += one;
    changed();
  }

  /** Counts a job that starts on so many GPUs, or with both negative one that stops. */
  void countRunning(int one, int itsGpus) {
    running += one;
    gpus += itsGpus;
    changed();
  }

  double rank() {
    return account == null ? rank : account.position();
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

  private void changed() {
    if (order != null) {
      rank = order.rank(this);
    }
  }
}
