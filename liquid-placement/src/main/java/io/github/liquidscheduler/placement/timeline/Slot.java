package io.github.liquidscheduler.placement.timeline;

import java.util.Objects;

/**
 * When and where a gang can run.
 *
 * @param <P> what a placement is
 * @param window from its start to its predicted end
 * @param placement where it runs, the same all the time
 */
public record Slot<P>(TimeWindow window, P placement) {

  /** Checks that nothing is null. */
  public Slot {
    Objects.requireNonNull(window, "window");
    Objects.requireNonNull(placement, "placement");
  }
}
