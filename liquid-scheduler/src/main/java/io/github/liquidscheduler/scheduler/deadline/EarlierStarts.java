package io.github.liquidscheduler.scheduler.deadline;

import io.github.liquidscheduler.scheduler.turn.Stage;
import io.github.liquidscheduler.scheduler.turn.Turn;

/** Lets jobs start before the time that they were promised, where others have ended earlier. */
public final class EarlierStarts implements Stage {

  private final DeadlineAdmission admission;

  /** Makes the stage for an admission. */
  public EarlierStarts(DeadlineAdmission admission) {
    this.admission = admission;
  }

  @Override
  public void run(Turn turn) {
    admission.advance();
  }
}
