package io.github.liquidscheduler.scheduler.deadline;

import io.github.liquidscheduler.scheduler.turn.Stage;
import io.github.liquidscheduler.scheduler.turn.Turn;

/** Lets jobs start before their promised times where others have ended early. */
public record EarlierStarts(DeadlineAdmission admission) implements Stage {

  @Override
  public void run(Turn turn) {
    if (!turn.goesOn()) {
      admission.advance();
    }
  }
}
