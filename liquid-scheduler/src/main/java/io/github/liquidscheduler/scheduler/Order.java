package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.scheduler.turn.Stage;
import io.github.liquidscheduler.scheduler.turn.Turn;

/** Re-ranks the jobs whose policy reviews are due. */
final class Order implements Stage {

  @Override
  public void run(Turn turn) {
    turn.jobs().reviews().review();
  }
}
