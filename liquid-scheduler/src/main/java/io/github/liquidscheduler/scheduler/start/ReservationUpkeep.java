package io.github.liquidscheduler.scheduler.start;

import io.github.liquidscheduler.scheduler.backfill.BackfillPlan;
import io.github.liquidscheduler.scheduler.turn.Stage;
import io.github.liquidscheduler.scheduler.turn.Turn;

/**
 * Repairs the reservations after the last change of running jobs in a turn, so that they follow
 * from the jobs alone, as in a restored scheduler. What those held that have moved is due at once.
 */
public final class ReservationUpkeep implements Stage {

  @Override
  public void run(Turn turn) {
    if (!turn.jobs().agenda().isCut()
        && turn.state().backfill().filter(BackfillPlan::settle).isPresent()) {
      turn.jobs().agenda().lookAgain();
    }
  }
}
