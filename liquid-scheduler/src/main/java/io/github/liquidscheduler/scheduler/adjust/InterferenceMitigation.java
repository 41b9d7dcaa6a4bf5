package io.github.liquidscheduler.scheduler.adjust;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.placement.colocation.ColocationMonitor;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.scheduling.Reason;
import java.util.List;
import java.util.Optional;

/**
 * Parts jobs that slow each other down more than they may: one of them moves where there is room
 * for it, or waits.
 */
public final class InterferenceMitigation {

  private final JobTable table;
  private final Placer placer;

  public InterferenceMitigation(JobTable table, Placer placer) {
    this.table = table;
    this.placer = placer;
  }

  /** Shows a report to the watch, and adds what follows from it to the decisions. */
  public void on(
      ClusterEvent.JobProgressed event, ColocationMonitor watch, List<Decision> decisions) {
    ColocationMonitor.Finding finding =
        watch.progressed(table.cluster(), event.job(), event.progress());
    if (finding.hasLearned() || finding.ban().isPresent()) {
      table.grow();
    }
    finding.ban().ifPresent(ban -> part(ban, decisions));
  }

  private void part(ColocationMonitor.Ban ban, List<Decision> decisions) {
    for (JobId job : ban.leaving()) {
      JobEntry entry = table.get(job);
      if (entry.job().isPreemptible()) {
        Reason reason =
            new Reason.InterferenceViolation(ban.slowed(), ban.retained(), ban.promised());
        decisions.add(leave(entry, reason));
        return;
      }
    }
  }

  private Decision leave(JobEntry job, Reason reason) {
    table.cluster().suspend(job.id());
    Optional<Placement> elsewhere = placer.place(table.cluster(), job.job());
    table.cluster().resume(job.id());
    if (elsewhere.isPresent()) {
      table.move(job, elsewhere.get());
      return new Decision.Migrate(job.id(), elsewhere.get(), reason);
    }
    job.countPreemption();
    table.stop(job, true);
    return new Decision.Preempt(job.id(), reason);
  }
}
