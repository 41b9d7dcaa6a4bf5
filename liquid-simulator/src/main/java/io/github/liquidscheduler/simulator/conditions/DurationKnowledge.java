package io.github.liquidscheduler.simulator.conditions;

import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The scheduler's knowledge of a job's true duration at submission. Immutable. */
public final class DurationKnowledge {

  private static final DurationKnowledge EXACT = new DurationKnowledge(null, 0, true);
  private static final DurationKnowledge NOTHING = new DurationKnowledge(null, 0, false);
  private static final DurationKnowledge LIMITS = new DurationKnowledge(null, 0, false);

  // Of the factor by which a duration is wrong; null if none is.
  private final @Nullable ToDoubleFunction<Random> logarithm;
  private final long seed;
  private final boolean isTold;

  /**
   * Makes what is known.
   *
   * @param logarithm draws the natural logarithm of what is told, over the truth
   */
  private DurationKnowledge(
      @Nullable ToDoubleFunction<Random> logarithm, long seed, boolean isTold) {
    this.logarithm = logarithm;
    this.seed = seed;
    this.isTold = isTold;
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
   * The scheduler knows the {@linkplain TraceJob#timeLimit() time limits}, as those of clusters do;
   * nothing of jobs without one.
   */
  public static DurationKnowledge limits() {
    return LIMITS;
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
    double most = StrictMath.log(factor);
    return new DurationKnowledge(draw -> most * (2 * draw.nextDouble() - 1), seed, true);
  }

  /**
   * The scheduler knows the true duration times a random number, the logarithm of which is normal
   * with mean 0: half of what it knows is too long.
   *
   * @param sigma standard deviation of the natural logarithm, from 0 to 5
   * @param seed what the draws start from; the same seed gives the same errors
   * @throws IllegalArgumentException if {@code sigma} is out of range
   */
  public static DurationKnowledge logNormal(double sigma, long seed) {
    if (!(sigma >= 0 && sigma <= 5)) {
      throw new IllegalArgumentException(
          "the standard deviation of durations must be from 0 to 5, but was " + sigma);
    }
    return new DurationKnowledge(draw -> sigma * draw.nextGaussian(), seed, true);
  }

  /**
   * Returns the duration that the scheduler is told for a job, the {@code position}th of its trace.
   */
  public Optional<Duration> of(TraceJob job, Duration truth, int position) {
    return this.equals(LIMITS) ? job.timeLimit() : of(truth, position);
  }

  Optional<Duration> of(Duration truth, int position) {
    if (!isTold) {
      return Optional.empty();
    }
    if (logarithm == null) {
      return Optional.of(truth);
    }
    double factor = StrictMath.exp(logarithm.applyAsDouble(new Random(mixed(position))));
    return Optional.of(
        factor == 1
            ? truth
            : Duration.ofNanos((long) Math.min(truth.toNanos() * factor, Long.MAX_VALUE)));
  }

  /** Neighbouring seeds of Random give similar first draws; this spreads them. */
  private long mixed(int position) {
    long mixed = (seed + position) * 0x9E3779B97F4A7C15L;
    return mixed ^ (mixed >>> 32);
  }
}
