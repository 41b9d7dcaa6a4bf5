package io.github.liquidscheduler.planning;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;

/**
 * The limits and the seed of a {@link BatchPlanner}'s search. A search limited by steps alone gives
 * the same plan on every JVM; one limited by time does not. The first limit reached ends the
 * search.
 *
 * @param seed the random seed of the search
 * @param steps the most moves that are evaluated, at least 1
 * @param time the time limit of the search, positive; empty if only steps limit it
 * @param stop a question asked now and then during the search: whether to stop
 * @param boundRounds the rounds in which the certificate's lower bound is improved; 0 for none
 */
public record PlanOptions(
    long seed, long steps, Optional<Duration> time, BooleanSupplier stop, int boundRounds) {

  /** 200,000 steps from seed 0. */
  public static final PlanOptions DEFAULT = builder().build();

  private static final long DEFAULT_STEPS = 200_000;

  /**
   * Checks the options.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public PlanOptions {
    if (steps < 1) {
      throw new IllegalArgumentException("steps must be at least 1, but was " + steps);
    }
    if (time.filter(limit -> !limit.isPositive()).isPresent()) {
      throw new IllegalArgumentException("a limit of time must be positive, but was " + time.get());
    }
    Objects.requireNonNull(stop, "stop");
    if (boundRounds < 0) {
      throw new IllegalArgumentException("bound rounds must be at least 0, but was " + boundRounds);
    }
  }

  /** Returns a builder of the default options. */
  public static Builder builder() {
    return new Builder();
  }

  /** Builds {@link PlanOptions}. Not thread-safe. */
  public static final class Builder {
    private long seed;
    private OptionalLong steps = OptionalLong.empty();
    private Optional<Duration> time = Optional.empty();
    private BooleanSupplier stop = () -> false;
    private int boundRounds = 3000;

    private Builder() {}

    /** Sets what the choices of the search are drawn from; 0 by default. */
    public Builder seed(long seed) {
      this.seed = seed;
      return this;
    }

    /**
     * Sets how many moves are looked at, at most; 200,000 by default if there is no limit of time.
     */
    public Builder steps(long steps) {
      this.steps = OptionalLong.of(steps);
      return this;
    }

    /** Sets how long the search goes on, at most. A plan that time ended is not repeatable. */
    public Builder time(Duration time) {
      this.time = Optional.of(time);
      return this;
    }

    /** Sets a question asked every few hundred steps, on the planning thread: whether to stop. */
    public Builder stop(BooleanSupplier stop) {
      this.stop = stop;
      return this;
    }

    /**
     * Sets how many rounds the lower bound of the certificate is improved for; 3000 by default.
     * With 0 there is no bound but 0.
     */
    public Builder boundRounds(int rounds) {
      this.boundRounds = rounds;
      return this;
    }

    /**
     * Returns the options.
     *
     * @throws IllegalArgumentException if one is out of range
     */
    public PlanOptions build() {
      long most = steps.orElse(time.isPresent() ? Long.MAX_VALUE : DEFAULT_STEPS);
      return new PlanOptions(seed, most, time, stop, boundRounds);
    }
  }
}
