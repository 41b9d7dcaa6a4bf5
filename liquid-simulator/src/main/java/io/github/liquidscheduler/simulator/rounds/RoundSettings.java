package io.github.liquidscheduler.simulator.rounds;

import io.github.liquidscheduler.planner.rounds.GpuChoice;
import java.util.List;
import java.util.Objects;

/**
 * What algorithms for jobs of rounds can be told. Each uses what it knows of.
 *
 * @param choice on which GPU the next task goes
 * @param thresholds the attained service at which a job falls into the next class, in seconds of
 *     the whole fleet's GPUs; positive and rising
 */
public record RoundSettings(GpuChoice choice, List<Double> thresholds) {

  /** Tasks go where they have computed first, also in gaps; classes end at 60 and 400 s. */
  public static final RoundSettings DEFAULTS =
      new RoundSettings(GpuChoice.FIRST_GAP, List.of(60.0, 400.0));

  /**
   * Checks the thresholds.
   *
   * @throws IllegalArgumentException if they do not rise from above 0
   */
  public RoundSettings {
    Objects.requireNonNull(choice, "choice");
    thresholds = List.copyOf(thresholds);
    double last = 0;
    for (double threshold : thresholds) {
      if (!(threshold > last && threshold < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(
            "thresholds must rise from above 0, but were " + thresholds);
      }
      last = threshold;
    }
  }

  /** Returns these settings with another choice of GPUs. */
  public RoundSettings withChoice(GpuChoice other) {
    return new RoundSettings(other, thresholds);
  }

  /**
   * Returns these settings with other thresholds.
   *
   * @throws IllegalArgumentException if they do not rise from above 0
   */
  public RoundSettings withThresholds(List<Double> others) {
    return new RoundSettings(choice, others);
  }
}
