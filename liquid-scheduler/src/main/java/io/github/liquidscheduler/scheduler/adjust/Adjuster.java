package io.github.liquidscheduler.scheduler.adjust;

import io.github.liquidscheduler.scheduler.turn.Turn;

/**
 * One kind of change for jobs that run. Adjusters run in the order of their list; what one changes,
 * the next one sees. A change must pay for itself, and its decision says why.
 */
public interface Adjuster {

  /** Changes running jobs as far as the event gives cause to, and adds the decisions. */
  void adjust(Turn turn);
}
