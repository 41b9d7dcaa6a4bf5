package io.github.liquidscheduler.planning;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The limits and the seed of a {@link BatchPlanner}'s search. A search limited by steps alone gives
 * the same plan on every JVM; one limited by time does not. The first limit reached ends the
 * search. Immutable.
 */
public final class PlanOptions {

  /** 200,000 steps from seed 0. */
  public static final PlanOptions DEFAULT = builder().build();

  private static final long DEFAULT_STEPS = 200_000;

  private final long seed;
  private final long steps;
  private final @Nullable Duration time;
  private final BooleanSupplier stop;
  private final int boundRounds;

  private PlanOptions(Builder builder) {
    seed = builder.seed;
    steps = builder.steps > 0 ? builder.steps : unlimitedIf(builder.time != null);
    time = builder.time;
    stop = builder.stop;
    boundRounds = builder.boundRounds;
  }

  /** Returns a builder of the default options. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns a builder that starts from these options. */
  public Builder toBuilder() {
    Builder copy = new Builder();
    copy.seed = seed;
    copy.steps = steps;
    copy.time = time;
    copy.stop = stop;
    copy.boundRounds = boundRounds;
    return copy;
  }

  /** Returns the random seed of the search. */
  public long seed() {
    return seed;
  }

  /** Returns the most moves that are evaluated. */
  public long steps() {
    return steps;
  }

  /** Returns the time limit of the search; empty if only steps limit it. */
  public Optional<Duration> time() {
    return Optional.ofNullable(time);
  }

  /** Returns a question asked now and then during the search: whether to stop. */
  public BooleanSupplier stop() {
    return stop;
  }

  /** Returns the rounds in which the certificate's lower bound is improved; 0 for none. */
  public int boundRounds() {
    return boundRounds;
  }

  private static long unlimitedIf(boolean limitedByTime) {
    return limitedByTime ? Long.MAX_VALUE : DEFAULT_STEPS;
  }

  /** Builds {@link PlanOptions}. Not thread-safe. */
  public static final class Builder {
    private long seed;
    private long steps;
    private @Nullable Duration time;
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
     *
     * @throws IllegalArgumentException if {@code steps} is less than 1
     */
    public Builder steps(long steps) {
      if (steps < 1) {
        throw new IllegalArgumentException("steps must be at least 1, but was " + steps);
      }
      this.steps = steps;
      return this;
    }

    /**
     * Sets how long the search goes on, at most. A plan that time ended is not repeatable.
     *
     * @throws IllegalArgumentException if {@code time} is not positive
     */
    public Builder time(Duration time) {
      if (!time.isPositive()) {
        throw new IllegalArgumentException("a limit of time must be positive, but was " + time);
      }
      this.time = time;
      return this;
    }

    /** Sets a question asked every few hundred steps, on the planning thread: whether to stop. */
    public Builder stop(BooleanSupplier stop) {
      this.stop = Objects.requireNonNull(stop, "stop");
      return this;
    }

    /**
     * Sets how many rounds the lower bound of the certificate is improved for; 3000 by default.
     * With 0 there is no bound but 0.
     *
     * @throws IllegalArgumentException if {@code rounds} is negative
     */
    public Builder boundRounds(int rounds) {
      if (rounds < 0) {
        throw new IllegalArgumentException("bound rounds must be at least 0, but was " + rounds);
      }
      this.boundRounds = rounds;
      return this;
    }

    /** Returns the options. */
    public PlanOptions build() {
      return new PlanOptions(this);
    }
  }
}
