package io.github.liquidscheduler.scheduler.start;

import io.github.liquidscheduler.scheduler.eviction.EvictionPlan;
import io.github.liquidscheduler.scheduler.eviction.MoveBudget;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.Reason;

/** The moves of running jobs for another one. */
final class MakingWay {

  private MakingWay() {}

  /**
   * Carries out the moves of a plan and counts them; the jobs are spared for the rest of the turn.
   * Returns true if there was any.
   */
  static boolean carryOut(Turn turn, EvictionPlan plan, JobEntry winner) {
    plan.moves()
        .forEach(
            (job, to) -> {
              turn.move(job, to, new Reason.MadeWay(winner.id()));
              new MoveBudget(turn.jobs()).moved(job);
              turn.started().add(job);
            });
    return !plan.moves().isEmpty();
  }
}
