package io.github.liquidscheduler.scheduler.window;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.gang.PlacementRules;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.planning.Migration;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Moves running jobs as a batch plan says, each only if that is still possible and pays. */
final class Relocations {

  private final JobTable table;

  Relocations(JobTable table) {
    this.table = table;
  }

  /**
   * Carries out the moves of a plan in their order.
   *
   * @param asked when the plan was asked for: what started later is not what the plan knew
   */
  void carryOut(BatchPlan plan, Instant asked, List<Decision> decisions) {
    for (Migration migration : plan.migrations()) {
      @Nullable JobEntry job = table.find(migration.job());
      if (job != null && migration.pays() && isAsKnown(job, asked) && fits(job, migration.to())) {
        table.move(job, migration.to());
        decisions.add(
            new Decision.Migrate(
                job.id(), migration.to(), new Reason.NetGain(migration.gain(), migration.cost())));
      }
    }
  }

  private static boolean isAsKnown(JobEntry job, Instant asked) {
    return job.isRunning() && !job.since().isAfter(asked);
  }

  private boolean fits(JobEntry job, Placement to) {
    ClusterState cluster = table.cluster();
    if (new PlacementRules(cluster.topology(), job.job()).brokenBy(to).isPresent()) {
      return false; // It was updated since.
    }
    cluster.suspend(job.id());
    boolean fits = cluster.fits(to);
    cluster.resume(job.id());
    return fits && isAnother(to, job.placement().orElse(to));
  }

  /** Whether the same tasks run elsewhere: a move never changes how many there are. */
  private static boolean isAnother(Placement to, Placement from) {
    return !to.equals(from)
        && to.tasks().stream()
            .map(TaskPlacement::task)
            .toList()
            .equals(from.tasks().stream().map(TaskPlacement::task).toList());
  }
}
