package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.scheduler.turn.Stage;
import io.github.liquidscheduler.scheduler.turn.Turn;

/** Asks the policy anew about the jobs whose reviews are due. */
final class Order implements Stage {

  @Override
  public void run(Turn turn) {
    turn.jobs().review();
  }
}
