package io.github.liquidscheduler.scheduler.adjust;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.placement.colocation.ColocationMonitor;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.scheduling.Reason;
import java.util.Optional;

/**
 * Separates jobs that slow each other down more than they may: one of them moves where there is
 * room for it, or waits.
 */
public final class InterferenceMitigation implements Adjuster {

  private final ColocationMonitor monitor;
  private final Placer placer;

  public InterferenceMitigation(ColocationMonitor monitor, Placer placer) {
    this.monitor = monitor;
    this.placer = placer;
  }

  @Override
  public void adjust(Turn turn) {
    if (turn.event() instanceof ClusterEvent.JobProgressed progressed) {
      ColocationMonitor.Finding finding =
          monitor.progressed(turn.cluster(), progressed.job(), progressed.progress());
      if (finding.hasLearned() || finding.ban().isPresent()) {
        turn.jobs().grow();
      }
      finding.ban().ifPresent(ban -> separate(turn, ban));
    }
  }

  private void separate(Turn turn, ColocationMonitor.Ban ban) {
    Reason reason = new Reason.InterferenceViolation(ban.slowed(), ban.retained(), ban.promised());
    ban.leaving().stream()
        .map(turn.jobs()::get)
        .filter(job -> job.job().isPreemptible())
        .findFirst()
        .ifPresent(job -> turn.decide(leave(turn.jobs(), job, reason)));
  }

  private Decision leave(JobTable table, JobEntry job, Reason reason) {
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
