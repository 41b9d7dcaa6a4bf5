package io.github.liquidscheduler.scheduler.adjust;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.Migration;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.turn.PlacementCheck;
import io.github.liquidscheduler.scheduler.turn.Stage;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.scheduling.Reason;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the migrations of a batch plan in its order, each only if it is still possible, pays
 * and delays no reservation. A plan that is no longer awaited moves no job.
 */
public record PlanRelocations(Placer placer) implements Stage {

  @Override
  public void run(Turn turn) {
    if (turn.event() instanceof ClusterEvent.PlanProposed proposed) {
      knownAt(turn, proposed.plan()).ifPresent(at -> carryOut(turn, proposed.plan(), at));
    }
  }

  /** Returns the latest start time that the plan can know of; empty if the plan is stale. */
  private static Optional<Instant> knownAt(Turn turn, BatchPlan plan) {
    return plan.number() == 0
        ? Optional.of(turn.jobs().now())
        : turn.state().window().awaitedSince(plan);
  }

  private void carryOut(Turn turn, BatchPlan plan, Instant knownAt) {
    for (Migration migration : plan.migrations()) {
      @Nullable JobEntry job = turn.jobs().find(migration.job());
      if (job != null
          && migration.pays()
          && isAsKnown(job, knownAt)
          && mayMove(turn, job, migration.to())) {
        turn.move(job, migration.to(), new Reason.NetGain(migration.gain(), migration.cost()));
      }
    }
  }

  private static boolean isAsKnown(JobEntry job, Instant knownAt) {
    return job.isRunning() && !job.since().isAfter(knownAt);
  }

  private boolean mayMove(Turn turn, JobEntry job, Placement to) {
    return job.job().isPreemptible()
        && job.resizing().isEmpty()
        && job.hasBegun()
        && !job.isMoving()
        && isAnother(to, job.placement().orElse(to))
        && new PlacementCheck(turn.cluster(), placer).mayMove(job.asPlaced(), to)
        && turn.jobs().quotas().admission().admitsChange(job, to)
        && turn.delaysNobody(job, to);
  }

  /** Returns true if the same tasks run elsewhere: a move never changes the number of tasks. */
  private static boolean isAnother(Placement to, Placement from) {
    return !to.equals(from)
        && to.tasks().stream()
            .map(TaskPlacement::task)
            .toList()
            .equals(from.tasks().stream().map(TaskPlacement::task).toList());
  }
}
