package io.github.liquidscheduler.scheduler.window;

import io.github.liquidscheduler.scheduler.turn.Stage;
import io.github.liquidscheduler.scheduler.turn.Turn;

/**
 * Makes parked jobs eligible for good, if the policy allows no bypass: all that stand before an
 * eligible job.
 */
public final class Eligibility implements Stage {

  @Override
  public void run(Turn turn) {
    Parked parked = new Parked(turn.jobs());
    parked.upTo(parked.lastEligible(turn.planned().borrowed())).forEach(turn.jobs()::makeEligible);
  }
}
