package io.github.liquidscheduler.scheduler;

import io.github.liquidscheduler.scheduling.ForwardingPlacer;
import io.github.liquidscheduler.scheduling.Placer;

/**
 * A placer about whose answers nothing is known beforehand, so that a scheduler counts no free
 * capacity and asks it for every job after each change.
 */
record Uncounted(Placer placer) implements ForwardingPlacer {

  @Override
  public boolean isCapacityBound() {
    return false;
  }
}
