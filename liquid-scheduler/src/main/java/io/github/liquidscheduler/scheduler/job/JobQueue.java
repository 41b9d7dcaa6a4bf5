package io.github.liquidscheduler.scheduler.job;

import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.scheduler.policy.QueueOrder;
import io.github.liquidscheduler.scheduler.policy.QueueOrder.QueueView;
import io.github.liquidscheduler.scheduler.quota.QueueAccount;
import org.jspecify.annotations.Nullable;

/**
 * A queue as policies see it, descendants included, with its rank. A single queue of constant rank
 * if the policy does not order queues.
 */
public final class JobQueue implements QueueView {

  private final QueueName name;
  private final @Nullable QueueOrder order;
  private final @Nullable QueueAccount account;
  private final @Nullable JobQueue parent;
  private final boolean strict;
  private int waiting;
  private int running;
  private int gpus;
  private double rank;
  private boolean isRanked;

  /** Makes an empty queue without a tree; {@code order} is the policy's, if it orders queues. */
  public JobQueue(QueueName name, @Nullable QueueOrder order) {
    this.name = name;
    this.order = order;
    account = null;
    parent = null;
    strict = false;
  }

  /**
   * Makes an empty queue of a tree, whose account says which turn it has.
   *
   * @param order the policy's order of queues, if any
   * @param parent the parent, if the policy asks for it
   * @param policyBypasses whether the policy lets jobs bypass others
   */
  public JobQueue(
      QueueAccount account,
      @Nullable QueueOrder order,
      @Nullable JobQueue parent,
      boolean policyBypasses) {
    name = account.name();
    this.order = order;
    this.account = account;
    this.parent = parent;
    strict = !policyBypasses || !account.allowsBypass();
  }

  /** Returns the account; null without a queue tree. */
  public @Nullable QueueAccount account() {
    return account;
  }

  /**
   * Returns true if it is in a tree and its first waiting job is its only candidate: no job
   * bypasses another.
   */
  public boolean isStrict() {
    return strict;
  }

  /** Adds to the number of waiting jobs. */
  public void countWaiting(int one) {
    for (@Nullable JobQueue queue = this; queue != null; queue = queue.parent) {
      queue.waiting += one;
      queue.isRanked = false;
    }
  }

  /** Counts a start on a number of GPUs, or with negative arguments a stop. */
  public void countRunning(int one, int itsGpus) {
    for (@Nullable JobQueue queue = this; queue != null; queue = queue.parent) {
      queue.running += one;
      queue.gpus += itsGpus;
      queue.isRanked = false;
    }
  }

  /** Returns its rank among all queues; in a tree its turn among the leaves. */
  public double rank() {
    return account == null ? rankByPolicy() : account.position();
  }

  /**
   * Returns the rank that the policy gives it; 0 if it does not order queues. The policy is asked
   * at the first call after a change of a count.
   */
  public double rankByPolicy() {
    if (!isRanked && order != null) {
      rank = order.rank(this);
      isRanked = true;
    }
    return rank;
  }

  /** Returns true if the queue has no job, waiting or running. */
  public boolean isEmpty() {
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
