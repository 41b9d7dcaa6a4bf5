package io.github.liquidscheduler.scheduling;

import io.github.liquidscheduler.text.Count;
import java.time.Duration;
import java.util.Optional;

/**
 * The progress of a running job.
 *
 * @param iterations iterations done since the first start, at least 0
 * @param iterationsPerSecond the present rate, at least 0 and finite
 * @param remaining the time still needed at the present size, not negative, where the job can tell
 */
public record Progress(long iterations, double iterationsPerSecond, Optional<Duration> remaining) {

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public Progress {
    if (iterations < 0 || !(iterationsPerSecond >= 0) || Double.isInfinite(iterationsPerSecond)) {
      throw new IllegalArgumentException(
          "iterations and their rate must be finite and not negative, but were %s and %s"
              .formatted(iterations, iterationsPerSecond));
    }
    if (remaining.filter(Duration::isNegative).isPresent()) {
      throw new IllegalArgumentException(
          "the remaining time must not be negative, but was " + remaining.get());
    }
  }

  /**
   * Returns progress without a time still needed.
   *
   * @throws IllegalArgumentException if a number is out of range
   */
  public static Progress of(long iterations, double iterationsPerSecond) {
    return new Progress(iterations, iterationsPerSecond, Optional.empty());
  }

  /**
   * Returns this progress with the time still needed at the present size.
   *
   * @throws IllegalArgumentException if {@code remaining} is negative
   */
  public Progress withRemaining(Duration remaining) {
    return new Progress(iterations, iterationsPerSecond, Optional.of(remaining));
  }

  /** Returns the parts as people write them, such as {@code 40 iterations at 2.5/s}. */
  @Override
  public String toString() {
    return Count.of(iterations, "iteration")
        + " at "
        + iterationsPerSecond
        + "/s"
        + remaining.map(time -> ", " + time + " remaining").orElse("");
  }
}
