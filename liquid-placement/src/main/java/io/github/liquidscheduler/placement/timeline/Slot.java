package io.github.liquidscheduler.placement.timeline;

import java.util.Objects;

/**
 * A window and a placement in which a gang can run.
 *
 * @param <P> the placements
 * @param window from its start to its predicted end
 * @param placement its placement, the same all the time
 */
public record Slot<P>(TimeWindow window, P placement) {

  /** Checks that nothing is null. */
  public Slot {
    Objects.requireNonNull(window, "window");
    Objects.requireNonNull(placement, "placement");
  }
}
