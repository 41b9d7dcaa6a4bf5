package io.github.liquidscheduler.scheduler.adjust;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.Resident;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.NodeFailures;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import java.util.List;

/** What follows when a node or GPU is gone: the jobs on it wait again. */
public final class FailureHandler {

  private final JobTable table;
  private final NodeFailures outages;

  public FailureHandler(JobTable table, NodeFailures outages) {
    this.table = table;
    this.outages = outages;
  }

  public void lose(NodeId node, List<Decision> decisions) {
    Reason reason = new Reason.NodeGone(node);
    for (JobEntry job : table.running().inOrder()) {
      if (job.placement().filter(placement -> isOn(node, placement)).isPresent()) {
        evict(job, reason, decisions);
      }
    }
    outages.lose(node);
  }

  public void lose(GpuId gpu, List<Decision> decisions) {
    Reason reason = new Reason.GpuGone(gpu);
    table.cluster().residents(gpu).stream()
        .map(Resident::job)
        .distinct()
        .forEach(job -> evict(table.get(job), reason, decisions));
    outages.lose(gpu);
  }

  private void evict(JobEntry job, Reason reason, List<Decision> decisions) {
    decisions.add(new Decision.Preempt(job.id(), reason));
    job.countPreemption();
    table.stop(job, true);
  }

  private static boolean isOn(NodeId node, Placement placement) {
    return placement.tasks().stream().anyMatch(task -> task.node().equals(node));
  }
}
