package io.github.liquidscheduler.scheduler.admit;

import io.github.liquidscheduler.queue.QueueTree;
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
   * @throws IllegalArgumentException if a job is in no leaf of it, or batch mode or backfill is on
   */
  void require(QueueTree tree) {
    if (jobs.isBatched() || isBackfilled) {
      throw new IllegalArgumentException(
          "queues in a tree are not supported together with batch mode or backfill yet");
    }
    jobs.requireQueues(tree);
  }
}
