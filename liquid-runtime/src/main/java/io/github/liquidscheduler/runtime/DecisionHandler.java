package io.github.liquidscheduler.runtime;

import io.github.liquidscheduler.scheduling.Decision;

/** Acts on decisions: starts and stops processes, tells users. */
@FunctionalInterface
public interface DecisionHandler {

  /**
   * Begins to carry out a decision, and returns without waiting for it: the loop decides nothing
   * meanwhile. Called in the order in which decisions were taken, one at a time. What was begun and
   * fails later is reported as an event; so is what fails here, since the scheduler takes every
   * decision as carried out.
   */
  void handle(Decision decision);
}
