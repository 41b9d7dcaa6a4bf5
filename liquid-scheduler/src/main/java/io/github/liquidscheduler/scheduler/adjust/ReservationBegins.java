package io.github.liquidscheduler.scheduler.adjust;

import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.Resident;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.placement.timeline.Slot;
import io.github.liquidscheduler.scheduler.backfill.AdvanceReservations;
import io.github.liquidscheduler.scheduler.backfill.Announced;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.AdvanceReservation;
import io.github.liquidscheduler.scheduling.Reason;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Pre-empts what still runs on nodes whose maintenance lasts, jobs that policies must not pre-empt
 * included. When room begins that is kept for some jobs, of which one waits, pre-empts the others
 * that are still there, unless they must not be.
 */
public final class ReservationBegins implements Adjuster {

  @Override
  public void adjust(Turn turn) {
    AdvanceReservations advance = turn.state().backfill().orElseThrow().advance();
    for (Announced each : advance.all()) {
      if (each.lasts(turn.jobs().now())) {
        begin(turn, advance, each);
      }
    }
  }

  private static void begin(Turn turn, AdvanceReservations advance, Announced each) {
    Reason reason = new Reason.ReservationBegan(each.reservation().id());
    switch (each.reservation()) {
      case AdvanceReservation.Maintenance maintenance -> {
        for (NodeId node : maintenance.nodes()) {
          turn.jobs().running().on(node).forEach(job -> turn.preempt(job, reason));
        }
      }
      case AdvanceReservation.Room room -> {
        if (!each.hasBegun()) {
          if (turn.jobs().eligible().inOrder().stream().anyMatch(job -> room.isFor(job.job()))) {
            each.room().ifPresent(kept -> clear(turn, kept, room, reason));
          }
          advance.begin(room.id());
        }
      }
    }
  }

  private static void clear(
      Turn turn, Slot<Placement> kept, AdvanceReservation.Room room, Reason reason) {
    Set<JobId> there = new LinkedHashSet<>();
    kept.placement()
        .tasks()
        .forEach(
            task ->
                task.gpus().stream()
                    .flatMap(gpu -> turn.cluster().residents(new GpuId(task.node(), gpu)).stream())
                    .map(Resident::job)
                    .forEach(there::add));
    for (JobId id : there) {
      JobEntry job = turn.jobs().get(id);
      if (job.isRunning() && job.job().isPreemptible() && !room.isFor(job.job())) {
        turn.preempt(job, reason);
      }
    }
  }
}
