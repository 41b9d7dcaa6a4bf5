package io.github.liquidscheduler.scheduler.adjust;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.placement.colocation.Colocation;
import io.github.liquidscheduler.placement.colocation.monitor.ColocationMonitor;
import io.github.liquidscheduler.placement.colocation.monitor.ColocationState;
import io.github.liquidscheduler.placement.colocation.monitor.NewCoRunners;
import io.github.liquidscheduler.placement.colocation.monitor.SeenCoRunners;
import io.github.liquidscheduler.prediction.Observations;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.turn.Stage;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.scheduling.Reason;
import java.util.List;
import java.util.Optional;

/**
 * Separates co-located jobs whose interference exceeds the promised slowdown: one of them moves
 * where it fits, or waits.
 */
public final class InterferenceMitigation implements Stage {

  private final Colocation colocation;
  private final ColocationMonitor monitor;
  private final SeenCoRunners seen;
  private final Placer placer;

  /** Makes the stage for the given co-location options. */
  public InterferenceMitigation(Colocation colocation, Placer placer) {
    this.colocation = colocation;
    monitor = new ColocationMonitor(colocation);
    seen = new SeenCoRunners(colocation);
    this.placer = placer;
  }

  @Override
  public void run(Turn turn) {
    if (turn.event() instanceof ClusterEvent.JobProgressed progressed
        && isAsShown(turn, turn.jobs().get(progressed.job()))) {
      ColocationState state = turn.state().colocation().orElseThrow();
      Observations before = state.observations();
      ColocationMonitor.Result result =
          monitor.progressed(state, turn.cluster(), progressed.job(), progressed.progress());
      turn.cluster().observe(state.observations());
      if (!result.learnedOf().isEmpty()) {
        learn(turn, before, result.learnedOf());
      }
      result.violation().ifPresent(violation -> separate(turn, violation));
    }
  }

  /** Returns true if a job is where the cluster shows it, beside nobody who is leaving. */
  private static boolean isAsShown(Turn turn, JobEntry job) {
    return !job.isMoving()
        && job.placement()
            .filter(at -> turn.jobs().stopping().blocking(at, turn.cluster()).isEmpty())
            .isPresent();
  }

  /**
   * Marks the waiting jobs that newly learned speeds may help. A batch plan may co-locate jobs that
   * run apart, which may free capacity for any job; a start only fits beside running jobs.
   */
  private void learn(Turn turn, Observations before, List<Workload> learnedOf) {
    if (!turn.jobs().batched().isEmpty()) {
      turn.jobs().agenda().relearn();
      return;
    }
    new NewCoRunners(colocation, seen, turn.cluster(), before)
        .among(turn.jobs().waiting().byClass().sharing(), learnedOf)
        .forEach(turn.jobs().agenda()::admitBeside);
  }

  private void separate(Turn turn, ColocationMonitor.Violation violation) {
    Reason reason =
        new Reason.InterferenceViolation(
            violation.slowed(), violation.retained(), violation.promised());
    violation.leaving().stream()
        .map(turn.jobs()::get)
        .filter(job -> job.job().isPreemptible())
        .findFirst()
        .ifPresent(job -> leave(turn, job, reason));
  }

  private void leave(Turn turn, JobEntry job, Reason reason) {
    Optional<Placement> elsewhere = elsewhere(turn, job);
    if (elsewhere.isPresent()) {
      turn.move(job, elsewhere.get(), reason);
    } else {
      turn.preempt(job, reason);
    }
  }

  private Optional<Placement> elsewhere(Turn turn, JobEntry job) {
    if (!job.hasBegun()) {
      return Optional.empty();
    }
    return NodeEvacuation.elsewhere(turn, placer, job, job.asPlaced(), to -> true);
  }
}
