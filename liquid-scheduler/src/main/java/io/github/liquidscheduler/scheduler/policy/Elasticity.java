package io.github.liquidscheduler.scheduler.policy;

import io.github.liquidscheduler.prediction.PerformancePredictor;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How running jobs of several sizes change them: by which policy, how often, and at what cost.
 * Immutable.
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

  /** Returns a builder of elasticity by a policy. */
  public static Builder by(SizingPolicy sizing) {
    return new Builder(Objects.requireNonNull(sizing, "sizing"));
  }

  /** Returns who gets larger and who gets smaller. */
  public SizingPolicy sizing() {
    return sizing;
  }

  /** Returns how many jobs may wait before running ones give up more than their surplus. */
  public int pendingLimit() {
    return pendingLimit;
  }

  /** Returns how long a job keeps its size after a start or a change. */
  public Duration coolDown() {
    return coolDown;
  }

  /** Returns how many times as long as it stands still a job must still run to get larger. */
  public double worthwhile() {
    return worthwhile;
  }

  /** Returns for how long jobs stand still. */
  public ResizeCost cost() {
    return cost;
  }

  /** Returns who predicts how fast jobs are at sizes that they have not had. */
  public Optional<PerformancePredictor> predictor() {
    return Optional.ofNullable(predictor);
  }

  /** Returns whether jobs are asked how fast they are at their sizes. */
  public boolean profiles() {
    return profiles;
  }

  /** Returns whether jobs start at their smallest sizes. */
  public boolean startsSmall() {
    return startsSmall;
  }

  /**
   * Returns the factor, less 1, by which the speed that a job reports may differ from what was
   * measured; if it differs more, the job is profiled again. Infinite if none is.
   */
  public double drift() {
    return drift;
  }

  /** Returns how long a job is not profiled again after it was. */
  public Duration profileInterval() {
    return profileInterval;
  }

  /** Returns whether jobs that get larger have others make room. */
  public boolean preemptsToGrow() {
    return preemptsToGrow;
  }

  /** Returns what becomes of jobs that cannot meet their deadlines, if deadlines are heeded. */
  public Optional<LateJobs> lateJobs() {
    return Optional.ofNullable(lateJobs);
  }

  /** Returns what decides, by name. */
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

  /**
   * Returns the elasticity of {@link #parameters()}.
   *
   * @throws IllegalArgumentException if one is missing or out of range, the rule of sizes is none
   *     of the project's, or speeds were predicted, by whom is not among them
   */
  public static Elasticity from(Map<String, String> parameters) {
    if (parameters.containsKey("predictor")) {
      throw new IllegalArgumentException(
          "what decides must be known from its parameters, but speeds were predicted by a "
              + parameters.get("predictor"));
    }
    SizingPolicy sizing =
        SizingPolicy.named(parameters.getOrDefault("sizing", ""), below("sizing.", parameters));
    try {
      Builder builder =
          by(sizing)
              .pendingLimit(Integer.parseInt(parameters.getOrDefault("pendingLimit", "")))
              .coolDown(Duration.parse(parameters.getOrDefault("coolDown", "")))
              .worthwhile(Double.parseDouble(parameters.getOrDefault("worthwhile", "")))
              .cost(ResizeCost.from(below("cost.", parameters)));
      if (Boolean.parseBoolean(parameters.get("startsSmall"))) {
        builder.startSmall();
      }
      if (parameters.containsKey("drift")) {
        builder.profileAgain(
            Double.parseDouble(parameters.get("drift")),
            Duration.parse(parameters.getOrDefault("profileInterval", "")));
      }
      if (Boolean.parseBoolean(parameters.get("takesRoom"))) {
        builder.preemptToGrow();
      }
      if (parameters.containsKey("lateJobs")) {
        builder.deadlines(LateJobs.valueOf(parameters.get("lateJobs")));
      }
      return (Boolean.parseBoolean(parameters.get("profiles")) ? builder.profileJobs() : builder)
          .build();
    } catch (DateTimeParseException | NumberFormatException e) {
      throw new IllegalArgumentException(
          "elasticity must have the numbers 'pendingLimit' and 'worthwhile' and the times"
              + " 'coolDown', 'cost.base', 'cost.perWorker' and 'cost.perGigabyte', but had "
              + parameters,
          e);
    }
  }

  private static Map<String, String> below(String prefix, Map<String, String> parameters) {
    Map<String, String> below = new TreeMap<>();
    parameters.forEach(
        (name, value) -> {
          if (name.startsWith(prefix)) {
            below.put(name.substring(prefix.length()), value);
          }
        });
    return below;
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
     * Sets how many jobs may wait before running ones give up more than they have beyond what they
     * prefer; 10 by default (EDL). They are counted when an event makes room or brings somebody who
     * waits, before any job is pre-empted.
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
     * Sets how long a job keeps its size after a start or a change; 60 s by default.
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
     * Sets how many times as long as it stands still a job must still run to get larger, where that
     * is known; 10 by default.
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

    /** Sets for how long jobs stand still; {@link ResizeCost#STOP_FREE} by default. */
    public Builder cost(ResizeCost cost) {
      this.cost = Objects.requireNonNull(cost, "cost");
      return this;
    }

    /**
     * Sets who predicts how fast jobs are at sizes that they have not had; without one they are as
     * fast in proportion to their tasks until they were seen. The scheduler only asks it: it must
     * give the same answers as long as the scheduler lives, or replays decide otherwise.
     */
    public Builder predictor(PerformancePredictor predictor) {
      this.predictor = Objects.requireNonNull(predictor, "predictor");
      return this;
    }

    /**
     * Has each job be {@linkplain io.github.liquidscheduler.scheduling.Decision.Profile asked} how
     * fast it is at its smaller sizes, once it has kept its size for the cool-down and was seen at
     * one size only. By default none is, and each is seen at the sizes that it gets.
     */
    public Builder profileJobs() {
      profiles = true;
      return this;
    }

    /**
     * Has jobs start at their smallest sizes, and get larger where nobody waits for what is free
     * (KAI-Scheduler). By default each starts at the largest size that fits, up to the preferred
     * one. Not supported yet in batch mode.
     */
    public Builder startSmall() {
      startsSmall = true;
      return this;
    }

    /**
     * Has a job be profiled again that reports speeds that have left what was measured, or what
     * follows from that at a size that was not: three reports that are off by more than {@code
     * drift}, and none between them that is off by less than half of that. What was seen of it
     * before is forgotten then. By default no job is.
     *
     * @param drift the factor by which a report may differ, less 1, such as .2
     * @param atMostEvery how long a job is not asked again after it was
     * @throws IllegalArgumentException if {@code drift} is not positive and finite, or {@code
     *     atMostEvery} is not positive
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
     * Has a running job that finds no idle room to get larger be treated as one that waits for its
     * next tasks: others make room for them by the rules of queues in a tree (KAI-Scheduler). By
     * default, and without such queues, jobs get larger where room is idle only.
     */
    public Builder preemptToGrow() {
      preemptsToGrow = true;
      return this;
    }

    /**
     * Has deadlines be heeded: each job with one is promised the smallest of its sizes at which it
     * meets it, and never goes below. By default deadlines are for the policy only. The policy must
     * be {@link Policies#deadlineFirst()}.
     *
     * <p>Promises are kept where tasks need one GPU each and may run anywhere, expected durations
     * and speeds are right, progress is reported after each change, and no node fails.
     *
     * @param late what becomes of a job that cannot meet its deadline
     */
    public Builder deadlines(LateJobs late) {
      lateJobs = Objects.requireNonNull(late, "late");
      return this;
    }

    /** Returns the elasticity. */
    public Elasticity build() {
      return new Elasticity(this);
    }
  }
}
