package io.github.liquidscheduler.scheduler.admit;

import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.scheduler.queue.JobTable;

/** Rejects queue trees that do not suit the jobs or the scheduler's mode. */
final class QueueChecks {

  private final JobTable jobs;

  QueueChecks(JobTable jobs) {
    this.jobs = jobs;
  }

  /**
   * Checks a tree.
   *
   * @throws IllegalArgumentException if a job is in no leaf of it
   */
  void require(QueueTree tree) {
    jobs.requireQueues(tree);
  }
}
