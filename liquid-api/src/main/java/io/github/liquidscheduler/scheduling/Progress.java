package io.github.liquidscheduler.scheduling;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How far a running job has come: iterations done since its first start, their present rate, and
 * the time it still needs where the job can tell. Immutable.
 */
public final class Progress {

  private final long iterations;
  private final double iterationsPerSecond;
  private final @Nullable Duration remaining;

  private Progress(long iterations, double iterationsPerSecond, @Nullable Duration remaining) {
    this.iterations = iterations;
    this.iterationsPerSecond = iterationsPerSecond;
    this.remaining = remaining;
  }

  /**
   * Returns progress without a time still needed.
   *
   * @param iterations iterations done since the first start, at least 0
   * @param iterationsPerSecond the present rate, at least 0 and finite
   * @throws IllegalArgumentException if a number is out of range
   */
  public static Progress of(long iterations, double iterationsPerSecond) {
    if (iterations < 0 || !(iterationsPerSecond >= 0) || Double.isInfinite(iterationsPerSecond)) {
      throw new IllegalArgumentException(
          "iterations and their rate must be finite and not negative, but were "
              + iterations
              + " and "
              + iterationsPerSecond);
    }
    return new Progress(iterations, iterationsPerSecond, null);
  }

  /**
   * Returns this progress with the time still needed at the present size.
   *
   * @throws IllegalArgumentException if {@code remaining} is negative
   */
  public Progress withRemaining(Duration remaining) {
    if (remaining.isNegative()) {
      throw new IllegalArgumentException(
          "the remaining time must not be negative, but was " + remaining);
    }
    return new Progress(iterations, iterationsPerSecond, remaining);
  }

  /** Returns the iterations done since the first start. */
  public long iterations() {
    return iterations;
  }

  /** Returns the present rate in iterations per second. */
  public double iterationsPerSecond() {
    return iterationsPerSecond;
  }

  /** Returns the time still needed at the present size. */
  public Optional<Duration> remaining() {
    return Optional.ofNullable(remaining);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Progress that
        && iterations == that.iterations
        && Double.compare(iterationsPerSecond, that.iterationsPerSecond) == 0
        && Objects.equals(remaining, that.remaining);
  }

  @Override
  public int hashCode() {
    return Objects.hash(iterations, iterationsPerSecond, remaining);
  }

  @Override
  public String toString() {
    return iterations
        + " iterations at "
        + iterationsPerSecond
        + "/s"
        + remaining().map(r -> ", " + r + " remaining").orElse("");
  }
}
