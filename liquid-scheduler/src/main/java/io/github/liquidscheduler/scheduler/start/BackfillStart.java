package io.github.liquidscheduler.scheduler.start;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.scheduler.backfill.BackfillPlan;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.turn.Stage;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.ClusterEvent;

/** Starts waiting jobs that fit without delaying a reservation, in policy order. */
public final class BackfillStart implements Stage {

  @Override
  public void run(Turn turn) {
    BackfillPlan plan = turn.state().backfill().orElseThrow();
    if (changesCluster(turn.event()) || turn.jobs().agenda().hasRelearned()) {
      plan.clusterChanged();
    }
    if (turn.event() instanceof ClusterEvent.JobUpdated updated) {
      plan.updated(updated.job());
    }
    plan.bringUpToDate();
    plan.arrange();
    plan.pass((job, started) -> start(turn, job, started.slot().placement()));
    turn.jobs().agenda().settle();
  }

  private static boolean changesCluster(ClusterEvent event) {
    return event instanceof ClusterEvent.NodeLost
        || event instanceof ClusterEvent.NodeDraining
        || event instanceof ClusterEvent.NodeReturned
        || event instanceof ClusterEvent.NodeAdded
        || event instanceof ClusterEvent.NodeRetired
        || event instanceof ClusterEvent.GpuLost
        || event instanceof ClusterEvent.GpuReturned;
  }

  private static void start(Turn turn, JobEntry job, Placement placement) {
    turn.start(job, placement, ScheduledReason.of(turn.jobs(), job, placement));
  }
}
