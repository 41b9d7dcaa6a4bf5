package io.github.liquidscheduler.simulator.rounds;

import io.github.liquidscheduler.rounds.planner.GpuChoice;
import io.github.liquidscheduler.rounds.planner.LocalSearch;
import io.github.liquidscheduler.rounds.simulation.SwitchingTime;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * What algorithms for jobs of rounds can be told. Each uses what it knows of.
 *
 * @param choice on which GPU the next task goes
 * @param thresholds the attained service at which a job falls into the next class, in seconds of
 *     the whole fleet's GPUs; positive and rising
 * @param steps the changes that local search tries, at least 0; if empty, {@linkplain LocalSearch
 *     as many as the size of the problem allows}
 * @param seed what they are drawn from
 * @param switching how long GPUs need between tasks, while jobs run
 */
public record RoundSettings(
    GpuChoice choice,
    List<Double> thresholds,
    OptionalInt steps,
    long seed,
    SwitchingTime switching) {

  /** Least delay, classes that end at 60 and 400 s, a short local search. */
  public static final RoundSettings DEFAULTS =
      new RoundSettings(
          GpuChoice.LEAST_DELAY, List.of(60.0, 400.0), OptionalInt.empty(), 1, SwitchingTime.NONE);

  /**
   * Checks the thresholds and steps.
   *
   * @throws IllegalArgumentException if thresholds do not rise from above 0, or steps are negative
   */
  public RoundSettings {
    Objects.requireNonNull(choice, "choice");
    Objects.requireNonNull(switching, "switching");
    thresholds = List.copyOf(thresholds);
    if (steps.isPresent() && steps.getAsInt() < 0) {
      throw new IllegalArgumentException("steps must be at least 0, but were " + steps.getAsInt());
    }
    double last = 0;
    for (double threshold : thresholds) {
      if (!(threshold > last && threshold < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(
            "thresholds must rise from above 0, but were " + thresholds);
      }
      last = threshold;
    }
  }

  /**
   * Returns these settings with other thresholds.
   *
   * @throws IllegalArgumentException if they do not rise from above 0
   */
  public RoundSettings withThresholds(List<Double> others) {
    return new RoundSettings(choice, others, steps, seed, switching);
  }

  /**
   * Returns these settings with other steps of local search, or as many as the size allows.
   *
   * @throws IllegalArgumentException if they are negative
   */
  public RoundSettings withSteps(OptionalInt others, long otherSeed) {
    return new RoundSettings(choice, thresholds, others, otherSeed, switching);
  }
}
