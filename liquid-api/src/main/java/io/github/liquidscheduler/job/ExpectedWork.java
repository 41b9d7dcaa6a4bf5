package io.github.liquidscheduler.job;

import io.github.liquidscheduler.text.Count;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The work that the user expects of a job: a running time at the asked size, a number of
 * iterations, or both.
 *
 * @param duration the running time at the asked size, not negative
 * @param iterations the number of iterations, at least 1
 */
public record ExpectedWork(Optional<Duration> duration, OptionalLong iterations) {

  /**
   * Checks the parts.
   *
   * @throws IllegalArgumentException if both are missing or one is out of range
   */
  public ExpectedWork {
    if (duration.isEmpty() && iterations.isEmpty()) {
      throw new IllegalArgumentException("expected work must have 'duration' or 'iterations'");
    }
    if (duration.filter(Duration::isNegative).isPresent()) {
      throw new IllegalArgumentException(
          "an expected duration must not be negative, but was " + duration.get());
    }
    if (iterations.isPresent() && iterations.getAsLong() < 1) {
      throw new IllegalArgumentException(
          "expected iterations must be at least 1, but was " + iterations.getAsLong());
    }
  }

  /**
   * Returns work that takes {@code duration} at the asked size.
   *
   * @throws IllegalArgumentException if {@code duration} is negative
   */
  public static ExpectedWork ofDuration(Duration duration) {
    return new ExpectedWork(Optional.of(duration), OptionalLong.empty());
  }

  /**
   * Returns work of {@code iterations} iterations.
   *
   * @throws IllegalArgumentException if {@code iterations} is less than 1
   */
  public static ExpectedWork ofIterations(long iterations) {
    return new ExpectedWork(Optional.empty(), OptionalLong.of(iterations));
  }

  /**
   * Returns work of {@code iterations} iterations that take {@code duration} at the asked size.
   *
   * @throws IllegalArgumentException if {@code duration} is negative or {@code iterations} is less
   *     than 1
   */
  public static ExpectedWork of(Duration duration, long iterations) {
    return new ExpectedWork(Optional.of(duration), OptionalLong.of(iterations));
  }

  /** Returns the stated amounts, such as {@code PT1H, 6000 iterations}. */
  @Override
  public String toString() {
    return duration.map(Duration::toString).orElse("")
        + (duration.isPresent() && iterations.isPresent() ? ", " : "")
        + (iterations.isPresent() ? Count.of(iterations.getAsLong(), "iteration") : "");
  }
}
