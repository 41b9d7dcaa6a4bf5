package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.JobQueue;
import org.jspecify.annotations.Nullable;

/**
 * The orders and indexes that hold the jobs of a table: of waiting and of running ones, of reviews
 * and of usage. A job is taken out before one of its keys changes and put back afterwards.
 */
record JobIndexes(JobTable table) {

  /** Adds a running job to the indexes of running jobs and the usage of its queue. */
  void addRunning(JobEntry job) {
    table.running().add(job);
    table.quotas().hold(job);
    table.eligible().byClass().ready().reorder();
  }

  /** Removes a running job from these indexes and that usage. */
  void removeRunning(JobEntry job) {
    table.running().remove(job);
    table.quotas().release(job);
    table.eligible().byClass().ready().reorder();
  }

  /** Adds a job, ranked already, to every order that it belongs to; a held one wants nothing. */
  void enqueue(JobEntry job) {
    job.noteOrdered(true);
    if (job.isRunning()) {
      table.running().enqueue(job);
      table.elastic().enqueue(job);
    } else {
      addWaiting(job);
      job.queue().countWaiting(1);
    }
    if (!job.isRunning() && !job.isHeld()) {
      table.quotas().await(job);
    }
    if (!job.isHeld()) {
      table.ranking().add(job);
    }
  }

  private void addWaiting(JobEntry job) {
    if (job.delayedUntil() != null) {
      table.delayed().add(job);
      return;
    }
    table.waiting().add(job);
    if (isEligibleApart(job)) {
      table.eligible().add(job);
    }
  }

  /** Removes a job from these orders, so that its keys may change. */
  void dequeue(JobEntry job) {
    job.noteOrdered(false);
    if (job.isRunning()) {
      table.running().dequeue(job);
      table.elastic().dequeue(job);
    } else {
      removeWaiting(job);
      job.queue().countWaiting(-1);
    }
    if (!job.isRunning() && !job.isHeld()) {
      table.quotas().awaitNoMore(job);
    }
    if (!job.isHeld()) {
      table.ranking().remove(job);
    }
  }

  private void removeWaiting(JobEntry job) {
    if (job.delayedUntil() != null) {
      table.delayed().remove(job);
      return;
    }
    table.waiting().remove(job);
    if (isEligibleApart(job)) {
      table.eligible().remove(job);
    }
  }

  /** Returns true if eligible jobs are kept separately and the waiting job is one of them. */
  private boolean isEligibleApart(JobEntry job) {
    return table.isBatched() && !table.batched().contains(job);
  }

  /** Ranks a job that no order holds, and adds it to its orders. */
  void enter(JobEntry job) {
    table.ranking().rank(job, table.now());
    enqueue(job);
  }

  /** Notes the queue of a job, the reason for which it is parked and what its phase says. */
  void settleIn(JobEntry job, JobQueue queue, BatchedJobs.@Nullable Membership membership) {
    job.enter(queue);
    if (membership != null) {
      table.batched().put(job, membership);
    }
    table.stopping().add(job);
  }
}
