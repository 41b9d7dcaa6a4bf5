package io.github.liquidscheduler.scheduler.policy;

import io.github.liquidscheduler.prediction.PerformancePredictor;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/*
 * Idea: an immutable set of options for size changes of running jobs, written to snapshots and
 *   journals by name.
 * Invariants: every value is validated in the builder; parameters() names every option that
 *   changes a decision.
 * Cost: O(1) per accessor; the work is in elastic.Expansion, elastic.Compaction and
 *   deadline.SharePlan.
 */
/**
 * Options for size changes of running elastic jobs: sizing policy, frequency and cost. Immutable.
 *
 * <pre>{@code
 * LiquidScheduler.builder(cluster)
 *     .policy(Policies.leastAttainedService())
 *     .elasticity(Elasticity.by(SizingPolicy.elasticTiresias()).build())
 *     .build();
 * }</pre>
 */
public final class Elasticity {

  private final SizingPolicy sizing;
  private final int pendingLimit;
  private final Duration coolDown;
  private final double worthwhile;
  private final ResizeCost cost;
  private final @Nullable PerformancePredictor predictor;
  private final boolean profiles;
  private final double drift;
  private final Duration profileInterval;
  private final boolean startsSmall;
  private final boolean preemptsToGrow;
  private final @Nullable LateJobs lateJobs;

  private Elasticity(Builder builder) {
    sizing = builder.sizing;
    pendingLimit = builder.pendingLimit;
    coolDown = builder.coolDown;
    worthwhile = builder.worthwhile;
    cost = builder.cost;
    predictor = builder.predictor;
    profiles = builder.profiles;
    drift = builder.drift;
    profileInterval = builder.profileInterval;
    startsSmall = builder.startsSmall;
    preemptsToGrow = builder.preemptsToGrow;
    lateJobs = builder.lateJobs;
  }

  /** Returns a builder with a sizing policy. */
  public static Builder by(SizingPolicy sizing) {
    return new Builder(Objects.requireNonNull(sizing, "sizing"));
  }

  /** Returns the sizing policy. */
  public SizingPolicy sizing() {
    return sizing;
  }

  /**
   * Returns the number of waiting jobs beyond which running jobs give up more than their surplus.
   */
  public int pendingLimit() {
    return pendingLimit;
  }

  /** Returns the time that a job keeps its size after a start or a change. */
  public Duration coolDown() {
    return coolDown;
  }

  /** Returns the least ratio of remaining run time to pause at which a job grows. */
  public double worthwhile() {
    return worthwhile;
  }

  /** Returns the cost of a size change. */
  public ResizeCost cost() {
    return cost;
  }

  /** Returns the predictor of speeds at sizes not yet measured. */
  public Optional<PerformancePredictor> predictor() {
    return Optional.ofNullable(predictor);
  }

  /** Returns true if jobs are profiled at their sizes. */
  public boolean profiles() {
    return profiles;
  }

  /** Returns true if jobs start at their smallest sizes. */
  public boolean startsSmall() {
    return startsSmall;
  }

  /**
   * Returns the relative difference between reported and measured speed beyond which a job is
   * profiled again; infinite if never.
   */
  public double drift() {
    return drift;
  }

  /** Returns the least time between two profiles of a job. */
  public Duration profileInterval() {
    return profileInterval;
  }

  /** Returns true if growing jobs may evict others. */
  public boolean preemptsToGrow() {
    return preemptsToGrow;
  }

  /**
   * Returns the treatment of jobs that cannot meet their deadlines; empty if deadlines are not
   * guaranteed.
   */
  public Optional<LateJobs> lateJobs() {
    return Optional.ofNullable(lateJobs);
  }

  /** Returns the options by name. */
  public Map<String, String> parameters() {
    Map<String, String> parameters = new TreeMap<>();
    parameters.put("sizing", sizing.name());
    sizing.parameters().forEach((name, value) -> parameters.put("sizing." + name, value));
    parameters.put("pendingLimit", Integer.toString(pendingLimit));
    parameters.put("coolDown", coolDown.toString());
    parameters.put("worthwhile", Double.toString(worthwhile));
    cost.parameters().forEach((name, value) -> parameters.put("cost." + name, value));
    parameters.put("profiles", Boolean.toString(profiles));
    if (drift < Double.POSITIVE_INFINITY) {
      parameters.put("drift", Double.toString(drift));
      parameters.put("profileInterval", profileInterval.toString());
    }
    if (startsSmall) {
      parameters.put("startsSmall", "true");
    }
    if (preemptsToGrow) {
      parameters.put("takesRoom", "true");
    }
    if (lateJobs != null) {
      parameters.put("lateJobs", lateJobs.name());
    }
    if (predictor != null) {
      parameters.put("predictor", predictor.getClass().getName());
    }
    return parameters;
  }

  /** Builds an {@link Elasticity}. Not thread-safe. */
  public static final class Builder {
    private static final int DEFAULT_PENDING_LIMIT = 10;
    private static final double DEFAULT_WORTHWHILE = 10;

    private final SizingPolicy sizing;
    private int pendingLimit = DEFAULT_PENDING_LIMIT;
    private Duration coolDown = Duration.ofSeconds(60);
    private double worthwhile = DEFAULT_WORTHWHILE;
    private ResizeCost cost = ResizeCost.STOP_FREE;
    private @Nullable PerformancePredictor predictor;
    private boolean profiles;
    private double drift = Double.POSITIVE_INFINITY;
    private Duration profileInterval = Duration.ZERO;
    private boolean startsSmall;
    private boolean preemptsToGrow;
    private @Nullable LateJobs lateJobs;

    private Builder(SizingPolicy sizing) {
      this.sizing = sizing;
    }

    /**
     * Sets the number of waiting jobs, at least 0, beyond which running jobs give up more than
     * their surplus over the preferred size; 10 by default (EDL). Jobs are counted when an event
     * frees capacity or adds a waiting job, before any pre-emption.
     *
     * @throws IllegalArgumentException if {@code jobs} is negative
     */
    public Builder pendingLimit(int jobs) {
      if (jobs < 0) {
        throw new IllegalArgumentException(
            "the limit of pending jobs must not be negative, but was " + jobs);
      }
      pendingLimit = jobs;
      return this;
    }

    /**
     * Sets the time that a job keeps its size after a start or a change, positive; 60 s by default.
     *
     * @throws IllegalArgumentException if {@code time} is not positive
     */
    public Builder coolDown(Duration time) {
      if (time.isNegative() || time.isZero()) {
        throw new IllegalArgumentException("a cool-down must be positive, but was " + time);
      }
      coolDown = time;
      return this;
    }

    /**
     * Sets the least ratio of remaining run time to pause at which a job grows, at least 0; 10 by
     * default.
     *
     * @throws IllegalArgumentException if {@code times} is negative or not finite
     */
    public Builder worthwhile(double times) {
      if (!(times >= 0 && Double.isFinite(times))) {
        throw new IllegalArgumentException(
            "a factor must be at least 0 and finite, but was " + times);
      }
      worthwhile = times;
      return this;
    }

    /** Sets the pause of a size change; {@link ResizeCost#STOP_FREE} by default. */
    public Builder cost(ResizeCost cost) {
      this.cost = Objects.requireNonNull(cost, "cost");
      return this;
    }

    /**
     * Sets the predictor of speeds at sizes not yet measured; without one, speed is proportional to
     * tasks. The predictor is only queried. Its answers must stay the same over the scheduler's
     * life, or replays decide differently.
     */
    public Builder predictor(PerformancePredictor predictor) {
      this.predictor = Objects.requireNonNull(predictor, "predictor");
      return this;
    }

    /**
     * Enables {@linkplain io.github.liquidscheduler.scheduling.Decision.Profile profiling} of each
     * job at its smaller sizes, once it has kept its size for the cool-down and was measured at one
     * size only. Off by default: speeds are measured at the sizes that jobs get.
     */
    public Builder profileJobs() {
      profiles = true;
      return this;
    }

    /**
     * Starts jobs at their smallest sizes; they grow where no waiting job needs the capacity
     * (KAI-Scheduler). By default a job starts at the largest fitting size up to the preferred one.
     * Not supported in batch mode.
     */
    public Builder startSmall() {
      startsSmall = true;
      return this;
    }

    /**
     * Enables repeated profiling of a job whose reports drift from its measured or interpolated
     * speeds: three reports off by more than {@code drift}, without one between them off by less
     * than half of that. Earlier measurements are then discarded. Off by default.
     *
     * @param drift the tolerated relative difference, positive and finite, such as .2
     * @param atMostEvery the least time between two profiles of a job, positive
     * @throws IllegalArgumentException if an argument is out of range
     */
    public Builder profileAgain(double drift, Duration atMostEvery) {
      if (!(drift > 0 && drift < Double.POSITIVE_INFINITY)
          || atMostEvery.isNegative()
          || atMostEvery.isZero()) {
        throw new IllegalArgumentException(
            "drift must be positive and finite, and the time between profiles positive, but were"
                + " %s and %s".formatted(drift, atMostEvery));
      }
      this.drift = drift;
      profileInterval = atMostEvery;
      return this;
    }

    /**
     * Lets a running job that finds no idle capacity to grow evict others, like a job that waits
     * for its next tasks, by the rules of queues in a tree (KAI-Scheduler). By default, and without
     * such queues, jobs grow into idle capacity only.
     */
    public Builder preemptToGrow() {
      preemptsToGrow = true;
      return this;
    }

    /**
     * Enables deadline guarantees: each job with a deadline is promised its smallest size that
     * meets it, and never shrinks below. From its promised start on it comes before all jobs that
     * are promised nothing, which the policy orders, and may stop any of them: neither minimum run
     * time nor a limit on pre-emptions protects these. By default deadlines only inform the policy.
     *
     * <p>Promises hold where tasks need one GPU each and may run anywhere, expected durations and
     * speeds are right, progress is reported after each change, and no node fails. Where speeds
     * differ by GPU model they count on the slowest that a job may get.
     *
     * @param late the treatment of a job that cannot meet its deadline
     */
    public Builder deadlines(LateJobs late) {
      lateJobs = Objects.requireNonNull(late, "late");
      return this;
    }

    /** Returns the options. */
    public Elasticity build() {
      return new Elasticity(this);
    }
  }

  /** The treatment of a job that cannot meet its deadline. */
  public enum LateJobs {
    /** The job is rejected with its earliest possible end. */
    REFUSE,
    /** The job waits for the GPUs with which it ends earliest. */
    WAIT
  }
}
