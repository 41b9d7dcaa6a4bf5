package io.github.liquidscheduler.scheduler.adjust;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.scheduler.backfill.AdvanceReservations;
import io.github.liquidscheduler.scheduler.backfill.Announced;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.AdvanceReservation;
import io.github.liquidscheduler.scheduling.Reason;
import java.util.stream.Stream;

/**
 * Pre-empts what still runs on nodes whose maintenance lasts, jobs that policies must not pre-empt
 * included. When room begins that is kept for some jobs, of which one waits, pre-empts the others
 * that are still there, unless they must not be; if a part of the room is down or gone by then, it
 * is first kept elsewhere.
 */
public final class ReservationBegins implements Adjuster {

  @Override
  public void adjust(Turn turn) {
    AdvanceReservations advance = turn.state().backfill().orElseThrow().advance();
    for (Announced each : advance.all()) {
      if (each.hasBegunBy(turn.event()) && each.isThere(turn.cluster())) {
        clear(turn, each);
        advance.begin(each.reservation().id());
      }
    }
  }

  private static void clear(Turn turn, Announced each) {
    switch (each.reservation()) {
      case AdvanceReservation.Maintenance maintenance -> {
        for (NodeId node : maintenance.nodes()) {
          preempt(turn, each, turn.jobs().running().on(node).stream());
        }
      }
      case AdvanceReservation.Capacity reserved -> {
        if (!each.hasBegun() && isWaitedFor(turn, reserved)) {
          preempt(turn, each, overstaying(turn, each, reserved));
        }
      }
    }
  }

  private static boolean isWaitedFor(Turn turn, AdvanceReservation.Capacity reserved) {
    return turn.jobs().eligible().inOrder().stream().anyMatch(job -> reserved.isFor(job.job()));
  }

  private static Stream<JobEntry> overstaying(
      Turn turn, Announced each, AdvanceReservation.Capacity reserved) {
    return turn.jobs().running().inOrder().stream()
        .filter(job -> job.job().isPreemptible() && !reserved.isFor(job.job()))
        .filter(job -> job.placement().filter(each::isIn).isPresent());
  }

  private static void preempt(Turn turn, Announced each, Stream<JobEntry> jobs) {
    Reason reason = new Reason.ReservationBegan(each.reservation().id());
    jobs.toList().forEach(job -> turn.preempt(job, reason));
  }
}
