package io.github.liquidscheduler.simulator.conditions;

import java.time.Duration;
import java.util.Optional;
import java.util.Random;

/** What the scheduler knows of a job's true duration at submission. Immutable. */
public final class DurationKnowledge {

  private static final DurationKnowledge EXACT = new DurationKnowledge(1, 0);
  private static final DurationKnowledge NOTHING = new DurationKnowledge(Double.NaN, 0);

  private final double factor;
  private final long seed;

  private DurationKnowledge(double factor, long seed) {
    this.factor = factor;
    this.seed = seed;
  }

  /** The scheduler knows the true duration; the default, as in most published simulations. */
  public static DurationKnowledge exact() {
    return EXACT;
  }

  /** The scheduler knows no durations. */
  public static DurationKnowledge nothing() {
    return NOTHING;
  }

  /**
   * The scheduler knows the true duration times a random number between {@code 1 / factor} and
   * {@code factor}, the logarithm of which is uniform.
   *
   * @param factor at least 1, at most 1,000
   * @param seed what the draws start from; the same seed gives the same errors
   * @throws IllegalArgumentException if {@code factor} is out of range
   */
  public static DurationKnowledge within(double factor, long seed) {
    if (!(factor >= 1 && factor <= 1000)) {
      throw new IllegalArgumentException(
          "the error factor of durations must be from 1 to 1000, but was " + factor);
    }
    return new DurationKnowledge(factor, seed);
  }

  /** Returns what the scheduler knows of the true duration of the {@code position}th job. */
  public Optional<Duration> of(Duration truth, int position) {
    if (Double.isNaN(factor)) {
      return Optional.empty();
    }
    if (factor == 1) {
      return Optional.of(truth);
    }
    double exponent = 2 * new Random(mixed(position)).nextDouble() - 1;
    double told = truth.toNanos() * StrictMath.pow(factor, exponent);
    return Optional.of(Duration.ofNanos((long) Math.min(told, Long.MAX_VALUE)));
  }

  /** Neighbouring seeds of Random give similar first draws; this spreads them. */
  private long mixed(int position) {
    long mixed = (seed + position) * 0x9E3779B97F4A7C15L;
    return mixed ^ (mixed >>> 32);
  }
}
