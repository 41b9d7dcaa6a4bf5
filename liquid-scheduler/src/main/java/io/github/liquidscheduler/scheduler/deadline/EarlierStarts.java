package io.github.liquidscheduler.scheduler.deadline;

import io.github.liquidscheduler.scheduler.turn.Stage;
import io.github.liquidscheduler.scheduler.turn.Turn;

/** Lets jobs start before their promised times where others have ended early. */
public final class EarlierStarts implements Stage {

  private final DeadlineAdmission admission;

  /** Makes the stage. */
  public EarlierStarts(DeadlineAdmission admission) {
    this.admission = admission;
  }

  @Override
  public void run(Turn turn) {
    if (!turn.goesOn()) {
      admission.advance();
    }
  }
}
