package io.github.liquidscheduler.scheduler.admit;

import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduler.queue.JobTable;

/** Rejects queue trees that do not suit the jobs or the scheduler's mode. */
final class QueueChecks {

  private final JobTable jobs;
  private final boolean isBackfilled;

  QueueChecks(JobTable jobs, boolean isBackfilled) {
    this.jobs = jobs;
    this.isBackfilled = isBackfilled;
  }

  /**
   * Checks a tree.
   *
   * @throws IllegalArgumentException if a job is in no leaf of it, the policy orders queues itself
   *     or allows no bypass, or batch mode or backfill is on
   */
  void require(QueueTree tree) {
    SchedulingPolicy policy = jobs.policy();
    if (policy.queueOrder().isPresent()) {
      throw new IllegalArgumentException(
          "a policy must not order queues that are in a tree, but '%s' does"
              .formatted(policy.name()));
    }
    if (!policy.allowsBypass()) {
      throw new IllegalArgumentException(
          "queues in a tree need a policy that lets jobs bypass others, but '%s' does not"
              .formatted(policy.name()));
    }
    if (jobs.isBatched() || isBackfilled) {
      throw new IllegalArgumentException(
          "queues in a tree are not supported together with batch mode or backfill yet");
    }
    jobs.requireQueues(tree);
  }
}
