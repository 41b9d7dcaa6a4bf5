package io.github.liquidscheduler.job;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * How much work the user expects a job to be: a running time at the asked size, a number of
 * iterations, or both. Immutable.
 */
public final class ExpectedWork {

  private final @Nullable Duration duration;
  private final @Nullable Long iterations;

  private ExpectedWork(@Nullable Duration duration, @Nullable Long iterations) {
    this.duration = duration;
    this.iterations = iterations;
  }

  /**
   * Returns work that takes {@code duration} at the asked size.
   *
   * @throws IllegalArgumentException if {@code duration} is negative
   */
  public static ExpectedWork ofDuration(Duration duration) {
    return new ExpectedWork(requireDuration(duration), null);
  }

  /**
   * Returns work of {@code iterations} iterations.
   *
   * @throws IllegalArgumentException if {@code iterations} is less than 1
   */
  public static ExpectedWork ofIterations(long iterations) {
    return new ExpectedWork(null, requireIterations(iterations));
  }

  /**
   * Returns work of {@code iterations} iterations that take {@code duration} at the asked size.
   *
   * @throws IllegalArgumentException if {@code duration} is negative or {@code iterations} is less
   *     than 1
   */
  public static ExpectedWork of(Duration duration, long iterations) {
    return new ExpectedWork(requireDuration(duration), requireIterations(iterations));
  }

  /** Returns the running time at the asked size. */
  public Optional<Duration> duration() {
    return Optional.ofNullable(duration);
  }

  /** Returns the number of iterations, at least 1. */
  public OptionalLong iterations() {
    return iterations == null ? OptionalLong.empty() : OptionalLong.of(iterations);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ExpectedWork that
        && Objects.equals(duration, that.duration)
        && Objects.equals(iterations, that.iterations);
  }

  @Override
  public int hashCode() {
    return Objects.hash(duration, iterations);
  }

  @Override
  public String toString() {
    return (duration == null ? "" : duration.toString())
        + (duration == null || iterations == null ? "" : ", ")
        + (iterations == null ? "" : iterations + " iterations");
  }

  private static Duration requireDuration(Duration duration) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException(
          "an expected duration must not be negative, but was " + duration);
    }
    return duration;
  }

  private static long requireIterations(long iterations) {
    if (iterations < 1) {
      throw new IllegalArgumentException(
          "expected iterations must be at least 1, but was " + iterations);
    }
    return iterations;
  }
}
