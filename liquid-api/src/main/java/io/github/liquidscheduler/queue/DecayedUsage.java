package io.github.liquidscheduler.queue;

import java.time.Duration;
import java.util.Objects;

/**
 * The weight of queues' past usage when what is left over beyond guarantees is divided
 * (KAI-Scheduler's time-based fair share). Of a queue of part <i>n</i> of all weights that has used
 * the part <i>u</i> of all there was, {@code max(0, n + sensitivity · (n - u))} counts. What is
 * guaranteed to a queue does not depend on its past.
 *
 * @param halfLife after how long something that was used counts half, at least a second
 * @param sensitivity how much the past counts, above 0; 1 by default
 */
public record DecayedUsage(Duration halfLife, double sensitivity) {

  /**
   * Checks both.
   *
   * @throws IllegalArgumentException if the half-life is below a second, or the sensitivity is not
   *     a finite number above 0
   */
  public DecayedUsage {
    Objects.requireNonNull(halfLife, "halfLife");
    if (halfLife.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException(
          "the half-life of what queues have used must be at least a second, but was " + halfLife);
    }
    if (!(sensitivity > 0 && sensitivity < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "the sensitivity to what queues have used must be above 0 and finite, but was "
              + sensitivity);
    }
  }

  /** Returns a decay of this half-life, with a sensitivity of 1. */
  public static DecayedUsage ofHalfLife(Duration halfLife) {
    return new DecayedUsage(halfLife, 1);
  }
}
