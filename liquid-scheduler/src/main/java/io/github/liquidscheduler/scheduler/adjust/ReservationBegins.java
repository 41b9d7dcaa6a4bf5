package io.github.liquidscheduler.scheduler.adjust;

import io.github.liquidscheduler.scheduler.backfill.AdvanceReservations;
import io.github.liquidscheduler.scheduler.backfill.Announced;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.turn.Stage;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.AdvanceReservation;
import io.github.liquidscheduler.scheduling.Reason;
import java.util.List;

/**
 * Enforces advance reservations that begin. Maintenance empties its nodes, also of jobs that
 * policies must not pre-empt. Reserved capacity for which a job waits pre-empts the other
 * pre-emptible jobs on it; if part of it is down or gone, it is first reserved elsewhere.
 */
public record ReservationBegins(NodeEvacuation evacuation) implements Stage {

  @Override
  public void run(Turn turn) {
    if (turn.goesOn()) {
      return; // Other events of this instant come before.
    }
    AdvanceReservations advance = turn.state().backfill().orElseThrow().advance();
    for (Announced each : advance.all()) {
      if (each.hasBegunBy(turn.event()) && each.isThere(turn.cluster())) {
        clear(turn, each);
        advance.begin(each.reservation().id());
      }
    }
  }

  private void clear(Turn turn, Announced each) {
    switch (each.reservation()) {
      case AdvanceReservation.Maintenance maintenance ->
          evacuation.clear(
              turn,
              maintenance.nodes(),
              maintenance.from(),
              node -> new Reason.ReservationBegan(maintenance.id()));
      case AdvanceReservation.Capacity reserved -> {
        if (!each.hasBegun() && isWaitedFor(turn, reserved)) {
          Reason reason = new Reason.ReservationBegan(reserved.id());
          overstaying(turn, each, reserved).forEach(job -> turn.preempt(job, reason));
        }
      }
    }
  }

  private static boolean isWaitedFor(Turn turn, AdvanceReservation.Capacity reserved) {
    return turn.jobs().eligible().inOrder().stream().anyMatch(job -> reserved.isFor(job.job()));
  }

  private static List<JobEntry> overstaying(
      Turn turn, Announced each, AdvanceReservation.Capacity reserved) {
    return turn.jobs().running().inOrder().stream()
        .filter(job -> job.job().isPreemptible() && !reserved.isFor(job.job()))
        .filter(job -> job.placement().filter(each::isIn).isPresent())
        .toList();
  }
}
