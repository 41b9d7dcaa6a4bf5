package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.JobQueue;
import org.jspecify.annotations.Nullable;

/**
 * The orders and indexes that hold the jobs of a table: of waiting and of running ones, of reviews
 * and of usage. A job is taken out before one of its keys changes and put back afterwards.
 */
final class JobIndexes {

  private final JobTable table;
  private final WaitingJobs waiting;
  private final WaitingJobs eligible;
  private final DelayedJobs delayed;
  private final BatchedJobs batched;
  private final StoppingJobs stopping;
  private final RunningJobs running;
  private final ElasticJobs elastic;
  private final Quotas quotas;

  JobIndexes(JobTable table) {
    this.table = table;
    waiting = table.waiting();
    eligible = table.eligible();
    delayed = table.delayed();
    batched = table.batched();
    stopping = table.stopping();
    running = table.running();
    elastic = table.elastic();
    quotas = table.quotas();
  }

  /** Adds a running job to the indexes of running jobs and the usage of its queue. */
  void addRunning(JobEntry job) {
    running.add(job);
    quotas.hold(job);
    eligible.byClass().ready().reorder();
  }

  /** Removes a running job from these indexes and that usage. */
  void removeRunning(JobEntry job) {
    running.remove(job);
    quotas.release(job);
    eligible.byClass().ready().reorder();
  }

  /** Adds a job, ranked already, to every order that it belongs to. */
  void enqueue(JobEntry job) {
    job.noteOrdered(true);
    if (job.isRunning()) {
      running.enqueue(job, table.now());
      elastic.enqueue(job);
    } else {
      addWaiting(job);
      job.queue().countWaiting(1);
      quotas.await(job);
    }
    table.ranking().add(job);
  }

  private void addWaiting(JobEntry job) {
    if (job.delayedUntil() != null) {
      delayed.add(job);
      return;
    }
    waiting.add(job);
    if (isEligibleApart(job)) {
      eligible.add(job);
    }
  }

  /** Removes a job from these orders, so that its keys may change. */
  void dequeue(JobEntry job) {
    job.noteOrdered(false);
    if (job.isRunning()) {
      running.dequeue(job);
      elastic.dequeue(job);
    } else {
      removeWaiting(job);
      job.queue().countWaiting(-1);
      quotas.awaitNoMore(job);
    }
    table.ranking().remove(job);
  }

  private void removeWaiting(JobEntry job) {
    if (job.delayedUntil() != null) {
      delayed.remove(job);
      return;
    }
    waiting.remove(job);
    if (isEligibleApart(job)) {
      eligible.remove(job);
    }
  }

  /** Returns true if eligible jobs are kept separately and the waiting job is one of them. */
  private boolean isEligibleApart(JobEntry job) {
    return table.isBatched() && !batched.contains(job);
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
      batched.put(job, membership);
    }
    stopping.add(job);
  }
}
