package io.github.liquidscheduler.lab.calibration;

import io.github.liquidscheduler.placement.network.TaskCounts;
import io.github.liquidscheduler.placement.network.Traffic;
import java.util.Objects;

/**
 * A measured iteration.
 *
 * @param application what ran
 * @param placement where, in the words of the data
 * @param traffic what it computes, as measured on one GPU, and sends
 * @param counts where its tasks were
 * @param seconds how long the iteration took, more than 0
 */
public record MeasuredRun(
    String application, String placement, Traffic traffic, TaskCounts counts, double seconds) {

  /**
   * Checks the time.
   *
   * @throws IllegalArgumentException if the time is not finite and more than 0
   */
  public MeasuredRun {
    Objects.requireNonNull(application, "application");
    Objects.requireNonNull(placement, "placement");
    Objects.requireNonNull(traffic, "traffic");
    Objects.requireNonNull(counts, "counts");
    if (!(seconds > 0 && seconds < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "an iteration must take more than 0 seconds, but took %s, for %s on %s"
              .formatted(seconds, application, placement));
    }
  }
}
