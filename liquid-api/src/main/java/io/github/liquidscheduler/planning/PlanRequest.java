package io.github.liquidscheduler.planning;

import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The question to a {@link BatchPlanner}: which jobs to place on a cluster, what runs there
 * already, and how long to search. Immutable but for the view, which must not change during
 * planning.
 */
public final class PlanRequest {

  private final ClusterView view;
  private final long number;
  private final List<JobSpec> pending;
  private final Set<JobId> deferrable;
  private final Map<JobId, JobSpec> running;
  private final Map<JobId, Double> migrationCosts;
  private final Map<JobId, Map<GpuModel, Double>> gpuSpeeds;
  private final @Nullable BatchPlan previous;
  private final PlanOptions options;

  private PlanRequest(Builder builder) {
    view = builder.view;
    number = builder.number;
    pending = List.copyOf(builder.pending.values());
    deferrable = Collections.unmodifiableSet(new LinkedHashSet<>(builder.deferrable));
    running = Collections.unmodifiableMap(new LinkedHashMap<>(builder.running));
    migrationCosts = Collections.unmodifiableMap(new LinkedHashMap<>(builder.migrationCosts));
    gpuSpeeds = Collections.unmodifiableMap(new LinkedHashMap<>(builder.gpuSpeeds));
    previous = builder.previous;
    options = builder.options;
  }

  /** Returns a builder of a request that asks for nothing yet. */
  public static Builder builder(ClusterView view) {
    return new Builder(view);
  }

  /** Returns a builder that starts from this request. */
  public Builder toBuilder() {
    Builder copy = new Builder(view);
    pending.forEach(job -> copy.pending.put(job.id(), job));
    copy.deferrable.addAll(deferrable);
    copy.running.putAll(running);
    copy.migrationCosts.putAll(migrationCosts);
    copy.gpuSpeeds.putAll(gpuSpeeds);
    copy.number = number;
    copy.previous = previous;
    copy.options = options;
    return copy;
  }

  /** Returns the same request, searching as {@code options} say. */
  public PlanRequest withOptions(PlanOptions options) {
    return toBuilder().options(options).build();
  }

  /** Returns the cluster as it is. */
  public ClusterView view() {
    return view;
  }

  /** Returns the number that the plan is to carry. */
  public long number() {
    return number;
  }

  /** Returns the jobs to place, in the order in which the policy would place them. */
  public List<JobSpec> pending() {
    return pending;
  }

  /**
   * Returns the jobs to place that the plan may leave waiting although they could start, so that
   * others start which it is better to start.
   */
  public Set<JobId> deferrable() {
    return deferrable;
  }

  /** Returns the description of a running job, if known. */
  public Optional<JobSpec> running(JobId job) {
    return Optional.ofNullable(running.get(job));
  }

  /**
   * Returns the running jobs that may be moved and what moving each costs, in the units of the
   * options' cost. All others stay where they are.
   */
  public Map<JobId, Double> migrationCosts() {
    return migrationCosts;
  }

  /**
   * Returns a job's speeds on GPU models relative to the fastest of them, which has 1; empty if
   * that is not known.
   */
  public Map<GpuModel, Double> gpuSpeeds(JobId job) {
    return gpuSpeeds.getOrDefault(job, Map.of());
  }

  /** Returns the plan to start from, as far as it still fits. */
  public Optional<BatchPlan> previous() {
    return Optional.ofNullable(previous);
  }

  /** Returns the options of the search. */
  public PlanOptions options() {
    return options;
  }

  /** Builds a {@link PlanRequest}. Not thread-safe. */
  public static final class Builder {
    private final ClusterView view;
    private final Map<JobId, JobSpec> pending = new LinkedHashMap<>();
    private final Set<JobId> deferrable = new LinkedHashSet<>();
    private final Map<JobId, JobSpec> running = new LinkedHashMap<>();
    private final Map<JobId, Double> migrationCosts = new LinkedHashMap<>();
    private final Map<JobId, Map<GpuModel, Double>> gpuSpeeds = new LinkedHashMap<>();
    private long number;
    private @Nullable BatchPlan previous;
    private PlanOptions options = PlanOptions.DEFAULT;

    private Builder(ClusterView view) {
      this.view = Objects.requireNonNull(view, "view");
    }

    /** Sets the number that the plan is to carry; 0 by default. */
    public Builder number(long number) {
      this.number = number;
      return this;
    }

    /**
     * Adds a job to place, after those added before.
     *
     * @throws IllegalArgumentException if the job was added already or runs
     */
    public Builder pending(JobSpec job) {
      if (view.placement(job.id()).isPresent()) {
        throw new IllegalArgumentException(
            "a job to place must not run already, but job '" + job.id() + "' does");
      }
      if (pending.putIfAbsent(job.id(), job) != null) {
        throw new IllegalArgumentException("job '" + job.id() + "' was added twice");
      }
      return this;
    }

    /** Adds jobs to place, in the order in which the policy would place them. */
    public Builder pending(List<JobSpec> jobs) {
      jobs.forEach(this::pending);
      return this;
    }

    /**
     * Lets jobs that are to be placed wait for others, as the scheduler's request says.
     *
     * @throws IllegalArgumentException if one of them was not added
     */
    public Builder deferrable(Collection<JobId> jobs) {
      for (JobId job : jobs) {
        if (!pending.containsKey(job)) {
          throw new IllegalArgumentException(
              "a deferrable job must be one of those to place, but job '" + job + "' is not");
        }
        deferrable.add(job);
      }
      return this;
    }

    /**
     * Tells what a running job is, so that its traffic and interference count. It stays where it
     * is.
     *
     * @throws IllegalArgumentException if the job does not run
     */
    public Builder running(JobSpec job) {
      if (view.placement(job.id()).isEmpty()) {
        throw new IllegalArgumentException("job '" + job.id() + "' does not run");
      }
      running.put(job.id(), job);
      return this;
    }

    /**
     * Offers a running job for migration.
     *
     * @param cost what moving it costs, in the units of the options' cost; at least 0
     * @throws IllegalArgumentException if the job does not run or the cost is negative or not
     *     finite
     */
    public Builder movable(JobSpec job, double cost) {
      if (!(cost >= 0 && cost < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(
            "a migration's cost must be finite and not negative, but was "
                + cost
                + ", for job '"
                + job.id()
                + "'");
      }
      running(job);
      migrationCosts.put(job.id(), cost);
      return this;
    }

    /**
     * Tells how fast a job is on GPU models beside the fastest of them, which has 1. The order of
     * the job's own list then no longer matters, only which models are in it. On models that are
     * not told it is taken to be as slow as on the slowest of these.
     *
     * @throws IllegalArgumentException if the job was not added, or a speed is not above 0 and at
     *     most 1
     */
    public Builder gpuSpeeds(JobId job, Map<GpuModel, Double> speeds) {
      if (!pending.containsKey(job) && !running.containsKey(job)) {
        throw new IllegalArgumentException(
            "speeds must be of a job that was added, but job '" + job + "' was not");
      }
      speeds.forEach(
          (model, speed) -> {
            if (!(speed > 0 && speed <= 1)) {
              throw new IllegalArgumentException(
                  "a speed must be above 0 and at most 1, but was %s on %s, of job '%s'"
                      .formatted(speed, model, job));
            }
          });
      gpuSpeeds.put(job, Collections.unmodifiableMap(new LinkedHashMap<>(speeds)));
      return this;
    }

    /** Sets a plan to start from, such as the last one. */
    public Builder previous(BatchPlan plan) {
      this.previous = Objects.requireNonNull(plan, "plan");
      return this;
    }

    /** Sets how to search; {@link PlanOptions#DEFAULT} by default. */
    public Builder options(PlanOptions options) {
      this.options = Objects.requireNonNull(options, "options");
      return this;
    }

    /** Returns the request. */
    public PlanRequest build() {
      return new PlanRequest(this);
    }
  }
}
