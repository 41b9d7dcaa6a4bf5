package io.github.liquidscheduler.estimator.resource;

import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.job.Workload;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What one task is, as far as its needs depend on it: the features of a resource estimate. What is
 * not known is empty. Immutable.
 */
public final class TaskProfile {
  private static final Pattern NUMBER =
      Pattern.compile("[-+]?(\\d+\\.?\\d*|\\.\\d+)([eE][-+]?\\d+)?");

  /** The role of tasks that compute. */
  public static final String WORKER = "worker";

  /** The role of tasks that hold parameters. */
  public static final String PARAMETER_SERVER = "ps";

  /** Where a measurement comes from unless it is said: what the device's driver reports. */
  public static final String DEVICE = "device";

  /** Arguments of a command line that name places and tell nothing about needs. */
  private static final List<String> PLACES =
      List.of(
          "train_dir",
          "data_dir",
          "ps_hosts",
          "worker_hosts",
          "task_index",
          "job_name",
          "variable_update");

  private final Builder parts;
  private final String signature;

  private TaskProfile(Builder parts) {
    this.parts = parts;
    signature =
        String.join(
            "\n",
            ShippedTable.key(parts.family),
            parts.framework,
            parts.dataset,
            parts.precision,
            parts.role,
            parts.gpusPerTask + " " + parts.workers + " " + parts.parameterServers,
            parts.hyperparameters.toString());
  }

  /** Returns a builder of the profile of one worker of a model of {@code family}. */
  public static Builder builder(String family) {
    return new Builder(family);
  }

  /** Returns the profile of a task of the role on a GPU of this model. */
  public static TaskProfile of(JobSpec job, TaskRole role, GpuModel gpu) {
    Workload workload = job.workload();
    Builder builder =
        builder(workload.family())
            .framework(workload.framework().orElse(""))
            .dataset(workload.dataset().orElse(""))
            .precision(workload.precision().orElse(""))
            .gpu(gpu.name())
            .gpusPerTask(role.request().gpus())
            .tasks(role.count(), 0)
            .hyperparameters(workload.hyperparameters());
    workload.batchSize().ifPresent(builder::batch);
    if (job.communication() instanceof Communication.ParameterServer ps) {
      builder
          .tasks(count(job, ps.workerRole()), count(job, ps.serverRole()))
          .role(role.name().equals(ps.serverRole()) ? PARAMETER_SERVER : WORKER);
    }
    return builder.build();
  }

  private static int count(JobSpec job, String role) {
    return job.role(role).map(TaskRole::count).orElse(0);
  }

  /** Returns where measurements of this kind come from; {@link #DEVICE} by default. */
  public String source() {
    return parts.source;
  }

  /** Returns the model family as it was called. */
  public String family() {
    return parts.family;
  }

  /** Returns the framework, or the empty string. */
  public String framework() {
    return parts.framework;
  }

  /** Returns the data set, or the empty string. */
  public String dataset() {
    return parts.dataset;
  }

  /** Returns the samples that the task processes per iteration. */
  public OptionalInt batch() {
    return parts.batch == 0 ? OptionalInt.empty() : OptionalInt.of(parts.batch);
  }

  /** Returns the numeric precision, or the empty string. */
  public String precision() {
    return parts.precision;
  }

  /** Returns the GPU model, or the empty string. */
  public String gpu() {
    return parts.gpu;
  }

  /** Returns the GPUs of the task, at least 0. */
  public int gpusPerTask() {
    return parts.gpusPerTask;
  }

  /** Returns the workers of the job. */
  public int workers() {
    return parts.workers;
  }

  /** Returns the parameter servers of the job. */
  public int parameterServers() {
    return parts.parameterServers;
  }

  /** Returns {@link #WORKER} or {@link #PARAMETER_SERVER}. */
  public String role() {
    return parts.role;
  }

  /** Returns the number of parameters, if stated. */
  public OptionalDouble parameters() {
    return parts.parameters > 0 ? OptionalDouble.of(parts.parameters) : OptionalDouble.empty();
  }

  /** Returns the hyper-parameters by name in order, without those that name places. */
  public NavigableMap<String, String> hyperparameters() {
    return parts.hyperparameters;
  }

  /** Returns the hyper-parameter {@code name} if it is a finite number. */
  public OptionalDouble number(String name) {
    return numeric(hyperparameters().getOrDefault(name, ""));
  }

  /** Returns the same for two tasks that differ at most in batch size, GPU model and source. */
  public String signature() {
    return signature;
  }

  /** Returns {@code text} as a number, or empty if it is not a finite number. */
  public static OptionalDouble numeric(String text) {
    if (text.isEmpty() || !NUMBER.matcher(text).matches()) {
      return OptionalDouble.empty();
    }
    double value = Double.parseDouble(text);
    return Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
  }

  /** Builds a {@link TaskProfile}. Not thread-safe. */
  public static final class Builder {
    private final String family;
    private String source = DEVICE;
    private String framework = "";
    private String dataset = "";
    private int batch;
    private String precision = "";
    private String gpu = "";
    private int gpusPerTask = 1;
    private int workers = 1;
    private int parameterServers;
    private String role = WORKER;
    private double parameters;
    private NavigableMap<String, String> hyperparameters = new TreeMap<>();

    private Builder(String family) {
      this.family = Objects.requireNonNull(family, "family");
    }

    /** Sets where measurements come from. */
    public Builder source(String source) {
      this.source = Objects.requireNonNull(source, "source");
      return this;
    }

    /** Sets the framework; empty if unknown. */
    public Builder framework(String framework) {
      this.framework = Objects.requireNonNull(framework, "framework");
      return this;
    }

    /** Sets the data set; empty if unknown. */
    public Builder dataset(String dataset) {
      this.dataset = Objects.requireNonNull(dataset, "dataset");
      return this;
    }

    /** Sets the samples per iteration; 0 if unknown. */
    public Builder batch(int batch) {
      this.batch = requireNotNegative(batch, "batch");
      return this;
    }

    /** Sets the numeric precision; empty if unknown. */
    public Builder precision(String precision) {
      this.precision = Objects.requireNonNull(precision, "precision");
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
                .formatted(parameters, family));
      }
      this.parameters = parameters;
      return this;
    }

    /** Sets the hyper-parameters; a numeric {@code parameters} among them sets that number. */
    public Builder hyperparameters(Map<String, String> values) {
      NavigableMap<String, String> kept = new TreeMap<>(values);
      PLACES.forEach(kept::remove);
      String stated = kept.remove("parameters");
      if (stated != null) {
        numeric(stated).ifPresent(number -> parameters = Math.max(0, number));
      }
      hyperparameters = Collections.unmodifiableNavigableMap(kept);
      return this;
    }

    /** Returns the profile. */
    public TaskProfile build() {
      Builder copy = new Builder(family);
      copy.source = source;
      copy.framework = framework;
      copy.dataset = dataset;
      copy.batch = batch;
      copy.precision = precision;
      copy.gpu = gpu;
      copy.gpusPerTask = gpusPerTask;
      copy.workers = workers;
      copy.parameterServers = parameterServers;
      copy.role = role;
      copy.parameters = parameters;
      copy.hyperparameters = hyperparameters;
      return new TaskProfile(copy);
    }

    private int requireNotNegative(int value, String what) {
      if (value < 0) {
        throw new IllegalArgumentException(
            "%s must not be negative, but was %d, for %s".formatted(what, value, family));
      }
      return value;
    }
  }
}
