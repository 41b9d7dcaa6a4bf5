package io.github.liquidscheduler.estimator.task;

import io.github.liquidscheduler.estimator.workload.ComparableName;
import io.github.liquidscheduler.estimator.workload.FiniteNumber;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * The profile of a task, as far as its needs depend on it: the features of a resource estimate.
 * What is not known is empty. Immutable.
 */
public final class TaskProfile {
  /** The role of tasks that compute. */
  public static final String WORKER = "worker";

  /** The role of tasks that hold parameters. */
  public static final String PARAMETER_SERVER = "ps";

  /** Where a measurement comes from unless it is said: what the device's driver reports. */
  public static final String DEVICE = "device";

  /** The hyper-parameter that states the number of parameters. */
  private static final String PARAMETERS = "parameters";

  /** Arguments of a command line that tell nothing about needs, or are told apart. */
  private static final List<String> LEFT_OUT =
      List.of(
          PARAMETERS,
          "train_dir",
          "data_dir",
          "ps_hosts",
          "worker_hosts",
          "task_index",
          "job_name",
          "variable_update");

  private final Workload workload;
  private final NavigableMap<String, String> hyperparameters;
  private final String source;
  private final String team;
  private final String gpu;
  private final int gpusPerTask;
  private final int workers;
  private final int parameterServers;
  private final String role;
  private final double parameters;
  private final String signature;

  private TaskProfile(Builder parts) {
    workload = parts.workload;
    NavigableMap<String, String> kept = new TreeMap<>(workload.hyperparameters());
    LEFT_OUT.forEach(kept::remove);
    hyperparameters = Collections.unmodifiableNavigableMap(kept);
    source = parts.source;
    team = parts.team;
    gpu = parts.gpu;
    gpusPerTask = parts.gpusPerTask;
    workers = parts.workers;
    parameterServers = parts.parameterServers;
    role = parts.role;
    parameters = parts.parameters;
    signature =
        String.join(
            "\n",
            ComparableName.of(family()),
            framework(),
            dataset(),
            precision(),
            role,
            gpusPerTask + " " + workers + " " + parameterServers,
            hyperparameters.toString());
  }

  /**
   * Returns a builder of the profile of one worker that computes this; a numeric hyper-parameter
   * {@code parameters} of the workload states their number.
   */
  public static Builder builder(Workload workload) {
    return new Builder(workload);
  }

  /** Returns the profile of a task of the role on a GPU of this model. */
  public static TaskProfile of(JobSpec job, TaskRole role, GpuModel gpu) {
    Builder builder =
        builder(job.workload())
            .team(job.queue().value())
            .gpu(gpu.name())
            .gpusPerTask(role.request().gpus())
            .tasks(role.count(), 0);
    if (job.communication() instanceof Communication.ParameterServer ps) {
      builder
          .tasks(
              job.role(ps.workerRole()).map(TaskRole::count).orElse(0),
              job.role(ps.serverRole()).map(TaskRole::count).orElse(0))
          .role(role.name().equals(ps.serverRole()) ? PARAMETER_SERVER : WORKER);
    }
    return builder.build();
  }

  /** Returns the source of measurements of this kind; {@link #DEVICE} by default. */
  public String source() {
    return source;
  }

  /** Returns the team that runs the task, the queue of its job, or the empty string. */
  public String team() {
    return team;
  }

  /** Returns the model family as it was called. */
  public String family() {
    return workload.family();
  }

  /** Returns the framework, or the empty string. */
  public String framework() {
    return workload.framework().orElse("");
  }

  /** Returns the data set, or the empty string. */
  public String dataset() {
    return workload.dataset().orElse("");
  }

  /** Returns the samples that the task processes per iteration. */
  public OptionalInt batch() {
    return workload.batchSize();
  }

  /** Returns the numeric precision, or the empty string. */
  public String precision() {
    return workload.precision().orElse("");
  }

  /** Returns the GPU model, or the empty string. */
  public String gpu() {
    return gpu;
  }

  /** Returns the GPUs of the task, at least 0. */
  public int gpusPerTask() {
    return gpusPerTask;
  }

  /** Returns the workers of the job. */
  public int workers() {
    return workers;
  }

  /** Returns the parameter servers of the job. */
  public int parameterServers() {
    return parameterServers;
  }

  /** Returns {@link #WORKER} or {@link #PARAMETER_SERVER}. */
  public String role() {
    return role;
  }

  /** Returns the number of parameters, if stated. */
  public OptionalDouble parameters() {
    return parameters > 0 ? OptionalDouble.of(parameters) : OptionalDouble.empty();
  }

  /** Returns the hyper-parameters by name in order, without those that name places. */
  public NavigableMap<String, String> hyperparameters() {
    return hyperparameters;
  }

  /** Returns the same for two tasks that differ at most in batch size, GPU model and source. */
  public String signature() {
    return signature;
  }

  /** Builds a {@link TaskProfile}. Not thread-safe. */
  public static final class Builder {
    private final Workload workload;
    private String source = DEVICE;
    private String team = "";
    private String gpu = "";
    private int gpusPerTask = 1;
    private int workers = 1;
    private int parameterServers;
    private String role = WORKER;
    private double parameters;

    private Builder(Workload workload) {
      this.workload = workload;
      String stated = workload.hyperparameters().getOrDefault(PARAMETERS, "");
      parameters = Math.max(0, FiniteNumber.of(stated).orElse(0));
    }

    /** Sets where measurements come from. */
    public Builder source(String source) {
      this.source = Objects.requireNonNull(source, "source");
      return this;
    }

    /** Sets who runs the task. */
    public Builder team(String team) {
      this.team = Objects.requireNonNull(team, "team");
      return this;
    }

    /** Sets the GPU model; empty if unknown. */
    public Builder gpu(String gpu) {
      this.gpu = Objects.requireNonNull(gpu, "gpu");
      return this;
    }

    /** Sets the GPUs of the task. */
    public Builder gpusPerTask(int gpus) {
      this.gpusPerTask = requireNotNegative(gpus, "gpus per task");
      return this;
    }

    /** Sets how many workers and parameter servers the job has. */
    public Builder tasks(int workers, int parameterServers) {
      this.workers = requireNotNegative(workers, "workers");
      this.parameterServers = requireNotNegative(parameterServers, "parameter servers");
      return this;
    }

    /** Sets the role: {@link #WORKER} or {@link #PARAMETER_SERVER}. */
    public Builder role(String role) {
      this.role = Objects.requireNonNull(role, "role");
      return this;
    }

    /** Sets the number of parameters; 0 if unknown. */
    public Builder parameters(double parameters) {
      if (!(parameters >= 0 && Double.isFinite(parameters))) {
        throw new IllegalArgumentException(
            "parameters must be finite and not negative, but were %s, for %s"
                .formatted(parameters, workload.family()));
      }
      this.parameters = parameters;
      return this;
    }

    /** Returns the profile. */
    public TaskProfile build() {
      return new TaskProfile(this);
    }

    private int requireNotNegative(int value, String what) {
      if (value < 0) {
        throw new IllegalArgumentException(
            "%s must not be negative, but was %d, for %s"
                .formatted(what, value, workload.family()));
      }
      return value;
    }
  }
}
