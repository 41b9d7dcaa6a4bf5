package io.github.liquidscheduler.placement.colocation;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.gang.BestFitPlacer;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;

/**
 * The configuration of GPU sharing: admissible co-runners, triggers, and the response to
 * measurements that disagree with predictions. Schedulers, placers and planners use the same one,
 * so that they agree.
 *
 * <p>A job shares if it is {@linkplain io.github.liquidscheduler.job.Sharing guaranteed or
 * opportunistic}, is a gang of one role, and each task asks for one GPU or a share of it.
 *
 * <p>It holds no state: each scheduler keeps its own observations. Immutable; thread-safe if the
 * policy and the functions given to it are.
 */
public final class Colocation {

  private final ColocationPolicy policy;
  private final Optional<InterferencePredictor> predictor;
  private final Placer base;
  private final SharingTrigger trigger;
  private final SharingMode mode;
  private final Map<GpuModel, SharingMode> modes;
  private final BiFunction<JobSpec, GpuModel, ColocationProfile> profiles;
  private final double spanPenalty;
  private final double tolerance;
  private final double leastBenefit;

  private Colocation(Builder builder) {
    policy = builder.policy;
    predictor = builder.predictor;
    base = builder.base;
    trigger = builder.trigger;
    mode = builder.mode;
    modes = new LinkedHashMap<>(builder.modes);
    profiles = builder.profiles;
    spanPenalty = builder.spanPenalty;
    tolerance = builder.tolerance;
    leastBenefit = builder.leastBenefit;
  }

  /** Returns co-location by predicted slowdown, with all defaults. */
  public static Colocation of(InterferencePredictor predictor) {
    return builder(PredictedSlowdownRule.of(predictor)).build();
  }

  /** Returns a builder of co-location by a policy. */
  public static Builder builder(ColocationPolicy policy) {
    return new Builder(Objects.requireNonNull(policy, "policy"));
  }

  /** Returns the policy that admits co-runners. */
  public ColocationPolicy policy() {
    return policy;
  }

  /** Returns the predictor that learns from measurements, if any. */
  public Optional<InterferencePredictor> predictor() {
    return predictor;
  }

  /** Returns the placer of jobs that do not share. */
  public Placer base() {
    return base;
  }

  /** Returns the trigger by which jobs share although they fit alone. */
  public SharingTrigger trigger() {
    return trigger;
  }

  /** Returns the mode in which the GPUs of a model are shared. */
  public SharingMode mode(GpuModel gpu) {
    return modes.getOrDefault(gpu, mode);
  }

  /** Returns true if some GPU models have a mode of their own. */
  public boolean hasModesByModel() {
    return !modes.isEmpty();
  }

  /** Returns the profile of a job alone on a GPU of a model. */
  public ColocationProfile profile(JobSpec job, GpuModel gpu) {
    return Objects.requireNonNull(profiles.apply(job, gpu));
  }

  /** Returns the cost of a gang that spans several nodes, in the policy's unit; at least 0. */
  public double spanPenalty() {
    return spanPenalty;
  }

  /** Returns the tolerated retained speed of a guaranteed job below its floor, from 0 to 1. */
  public double tolerance() {
    return tolerance;
  }

  /** Returns the least sum of the retained speeds of two co-runners, from 0 to 2. */
  public double leastBenefit() {
    return leastBenefit;
  }

  /**
   * Returns all parameters by name: snapshots hold them, so that a scheduler is not restored with
   * others unnoticed.
   */
  public SortedMap<String, String> parameters() {
    SortedMap<String, String> parameters = new TreeMap<>(policy.parameters());
    parameters.put("policy", policy.name());
    parameters.put("trigger", trigger.name());
    parameters.put("mode", mode.toString());
    modes.forEach((gpu, each) -> parameters.put("mode of " + gpu, each.toString()));
    parameters.put("span penalty", Double.toString(spanPenalty));
    parameters.put("tolerance", Double.toString(tolerance));
    parameters.put("least benefit", Double.toString(leastBenefit));
    return parameters;
  }

  /** Builds a {@link Colocation}. Not thread-safe. */
  public static final class Builder {
    private final ColocationPolicy policy;
    private Optional<InterferencePredictor> predictor;
    private Placer base = BestFitPlacer.bestFit();
    private SharingTrigger trigger = SharingTrigger.onlyWhenFull();
    private SharingMode mode = new SharingMode.TimeSlicing(2);
    private final Map<GpuModel, SharingMode> modes = new LinkedHashMap<>();
    private BiFunction<JobSpec, GpuModel, ColocationProfile> profiles =
        (job, gpu) -> ColocationProfile.of(job);
    private double spanPenalty = 0.3;
    private double tolerance = 0.02;
    private double leastBenefit = 1;

    private Builder(ColocationPolicy policy) {
      this.policy = policy;
      predictor = policy.predictor();
    }

    /** Sets the predictor that learns from measurements; by default that of the policy, if any. */
    public Builder predictor(InterferencePredictor predictor) {
      this.predictor = Optional.of(predictor);
      return this;
    }

    /** Sets the placer of jobs that do not share; best fit by default. */
    public Builder base(Placer base) {
      this.base = Objects.requireNonNull(base, "base");
      return this;
    }

    /** Sets the trigger by which jobs share although they fit alone; never by default. */
    public Builder trigger(SharingTrigger trigger) {
      this.trigger = Objects.requireNonNull(trigger, "trigger");
      return this;
    }

    /** Sets the sharing mode; time slicing of two jobs on each GPU by default. */
    public Builder mode(SharingMode mode) {
      this.mode = Objects.requireNonNull(mode, "mode");
      return this;
    }

    /** Sets the sharing mode of a GPU model. */
    public Builder mode(GpuModel gpu, SharingMode mode) {
      modes.put(Objects.requireNonNull(gpu, "gpu"), Objects.requireNonNull(mode, "mode"));
      return this;
    }

    /**
     * Sets the profiles of jobs on a GPU model: by default the workload and the memory stated.
     * Profiles are cached for equal jobs, so they must depend on workload, sharing and request
     * only.
     */
    public Builder profiles(BiFunction<JobSpec, GpuModel, ColocationProfile> profiles) {
      this.profiles = Objects.requireNonNull(profiles, "profiles");
      return this;
    }

    /**
     * Sets the cost of a gang that spans several nodes, in the policy's unit; 0.3 by default.
     *
     * @throws IllegalArgumentException if it is negative or not finite
     */
    public Builder spanPenalty(double penalty) {
      spanPenalty = require(penalty, Double.MAX_VALUE, "a span penalty");
      return this;
    }

    /**
     * Sets the retained speed below its floor up to which a guaranteed job is not separated from
     * its co-runners; .02 by default.
     *
     * @throws IllegalArgumentException if it is not from 0 to 1
     */
    public Builder tolerance(double tolerance) {
      this.tolerance = require(tolerance, 1, "a tolerance");
      return this;
    }

    /**
     * Sets the least sum of the measured retained speeds of two co-runners that stay together; 1 by
     * default, the sum of running one after the other. With 0 they always stay.
     *
     * @throws IllegalArgumentException if it is not from 0 to 2
     */
    public Builder leastBenefit(double benefit) {
      leastBenefit = require(benefit, 2, "the least benefit");
      return this;
    }

    /** Returns the configuration. */
    public Colocation build() {
      return new Colocation(this);
    }

    private static double require(double value, double most, String what) {
      if (!(value >= 0 && value <= most)) {
        throw new IllegalArgumentException(
            what + " must be from 0 to " + most + ", but was " + value);
      }
      return value;
    }
  }
}
