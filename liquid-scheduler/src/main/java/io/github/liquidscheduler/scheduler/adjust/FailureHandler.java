package io.github.liquidscheduler.scheduler.adjust;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Resident;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.NodeFailures;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.Reason;

/** What follows when a node or GPU is gone: the jobs on it wait again. */
public final class FailureHandler {

  private final JobTable table;
  private final NodeFailures failures;

  /**
   * Makes a handler that stops jobs of {@code table}, and records in {@code failures} what is lost.
   */
  public FailureHandler(JobTable table, NodeFailures failures) {
    this.table = table;
    this.failures = failures;
  }

  /**
   * Pre-empts every job with a task on the node, in the order of their starts, and marks it as
   * lost.
   */
  public void nodeLost(Turn turn, NodeId node) {
    Reason reason = new Reason.NodeGone(node);
    table.running().on(node).forEach(job -> turn.evict(job, reason));
    failures.fail(node);
  }

  /** Pre-empts every job that holds the GPU or a fraction of it, and marks it as lost. */
  public void gpuLost(Turn turn, GpuId gpu) {
    Reason reason = new Reason.GpuGone(gpu);
    table.cluster().residents(gpu).stream()
        .map(Resident::job)
        .distinct()
        .forEach(job -> turn.evict(table.get(job), reason));
    failures.fail(gpu);
  }
}
