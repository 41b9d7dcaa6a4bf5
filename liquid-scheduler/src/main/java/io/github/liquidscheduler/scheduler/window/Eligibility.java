package io.github.liquidscheduler.scheduler.window;

import io.github.liquidscheduler.scheduler.turn.Stage;
import io.github.liquidscheduler.scheduler.turn.Turn;

/**
 * Makes parked jobs ahead of an eligible job permanently eligible, if the policy, or its queue in a
 * tree, allows no bypass.
 */
public final class Eligibility implements Stage {

  @Override
  public void run(Turn turn) {
    if (!turn.goesOn()) {
      new Parked(turn.jobs())
          .notToBeBypassed(turn.planned().borrowed())
          .forEach(turn.jobs().waitingTransitions()::makeEligible);
    }
  }
}
