package io.github.liquidscheduler.placement.colocation;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.gang.BestFitPlacer;
import io.github.liquidscheduler.prediction.ColocationProfile;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.Collections;
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
 * <p>It holds no state: each scheduler keeps its own observations. Thread-safe if the policy and
 * the functions given to it are.
 *
 * @param policy the policy that admits co-runners
 * @param predictor the predictor that learns from measurements, if any
 * @param base the placer of jobs that do not share
 * @param trigger the trigger by which jobs share although they fit alone
 * @param mode the mode in which GPUs are shared
 * @param modes the modes of those GPU models that have one of their own
 * @param profiles the profile of a job alone on a GPU of a model
 * @param spanPenalty the cost of a gang that spans several nodes, in the policy's unit; at least 0
 * @param tolerance the tolerated retained speed of a guaranteed job below its floor, from 0 to 1
 * @param leastBenefit the least sum of the retained speeds of two co-runners, from 0 to 2
 */
public record Colocation(
    ColocationPolicy policy,
    Optional<InterferencePredictor> predictor,
    Placer base,
    SharingTrigger trigger,
    SharingMode mode,
    Map<GpuModel, SharingMode> modes,
    BiFunction<JobSpec, GpuModel, ColocationProfile> profiles,
    double spanPenalty,
    double tolerance,
    double leastBenefit) {

  /**
   * Checks and copies the parts.
   *
   * @throws IllegalArgumentException if a number is out of range
   */
  public Colocation {
    Objects.requireNonNull(policy, "policy");
    Objects.requireNonNull(predictor, "predictor");
    Objects.requireNonNull(base, "base");
    Objects.requireNonNull(trigger, "trigger");
    Objects.requireNonNull(mode, "mode");
    Objects.requireNonNull(profiles, "profiles");
    modes = Collections.unmodifiableMap(new LinkedHashMap<>(modes));
    require(spanPenalty, Double.MAX_VALUE, "a span penalty");
    require(tolerance, 1, "a tolerance");
    require(leastBenefit, 2, "the least benefit");
  }

  private static void require(double value, double most, String what) {
    if (!(value >= 0 && value <= most)) {
      throw new IllegalArgumentException(
          what + " must be from 0 to " + most + ", but was " + value);
    }
  }

  /** Returns co-location by predicted slowdown, with all defaults. */
  public static Colocation of(InterferencePredictor predictor) {
    return builder(PredictedSlowdownRule.of(predictor)).build();
  }

  /** Returns a builder of co-location by a policy. */
  public static Builder builder(ColocationPolicy policy) {
    return new Builder(Objects.requireNonNull(policy, "policy"));
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
      this.base = base;
      return this;
    }

    /** Sets the trigger by which jobs share although they fit alone; never by default. */
    public Builder trigger(SharingTrigger trigger) {
      this.trigger = trigger;
      return this;
    }

    /** Sets the sharing mode; time slicing of two jobs on each GPU by default. */
    public Builder mode(SharingMode mode) {
      this.mode = mode;
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
      this.profiles = profiles;
      return this;
    }

    /** Sets the cost of a gang that spans several nodes, in the policy's unit; 0.3 by default. */
    public Builder spanPenalty(double penalty) {
      spanPenalty = penalty;
      return this;
    }

    /**
     * Sets the retained speed below its floor up to which a guaranteed job is not separated from
     * its co-runners; .02 by default.
     */
    public Builder tolerance(double tolerance) {
      this.tolerance = tolerance;
      return this;
    }

    /**
     * Sets the least sum of the measured retained speeds of two co-runners that stay together; 1 by
     * default, the sum of running one after the other. With 0 they always stay.
     */
    public Builder leastBenefit(double benefit) {
      leastBenefit = benefit;
      return this;
    }

    /**
     * Returns the configuration.
     *
     * @throws IllegalArgumentException if a number is out of range
     */
    public Colocation build() {
      return new Colocation(
          policy,
          predictor,
          base,
          trigger,
          mode,
          modes,
          profiles,
          spanPenalty,
          tolerance,
          leastBenefit);
    }
  }
}
