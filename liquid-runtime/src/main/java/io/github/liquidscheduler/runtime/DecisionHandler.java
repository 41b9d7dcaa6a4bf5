package io.github.liquidscheduler.runtime;

import io.github.liquidscheduler.scheduling.Decision;

/** Acts on decisions: starts and stops processes, tells users. */
@FunctionalInterface
public interface DecisionHandler {

  /**
   * Begins to carry out a decision, and returns without waiting for it: the loop decides nothing
   * meanwhile. A start, move or change of size that waits for others to leave comes once they have
   * left, with nobody to wait for, and not at all if it was taken back before. Called in the order
   * in which decisions were taken, one at a time. What was begun and fails later is reported as an
   * event; so is what fails here, since the scheduler takes every decision as carried out.
   */
  void handle(Decision decision);
}
