package io.github.liquidscheduler.job;

import io.github.liquidscheduler.resource.GpuModel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A deep-learning job as its user describes it: who asks, what is computed, how many tasks of which
 * request, and what the placement must and should respect. Immutable; made by {@link
 * #builder(String)}, where everything but the id and one role has a harmless default.
 */
public final class JobSpec {

  private final JobId id;
  private final QueueName queue;
  private final int priority;
  private final boolean preemptible;
  private final Workload workload;
  private final List<TaskRole> roles;
  private final Communication communication;
  private final Parallelism parallelism;
  private final Synchronization synchronization;
  private final TopologyConstraint topology;
  private final Sharing sharing;
  private final List<GpuModel> gpuModels;
  private final Map<String, String> nodeLabels;
  private final @Nullable ExpectedWork expectedWork;
  private final @Nullable Dataset dataset;
  private final Map<String, String> labels;
  private final int tasks;
  private final int gpus;

  private JobSpec(Builder builder) {
    id = builder.id;
    queue = builder.queue;
    priority = builder.priority;
    preemptible = builder.preemptible;
    workload = builder.workload;
    roles = List.copyOf(builder.roles);
    communication = builder.communication;
    synchronization = builder.synchronization;
    topology = builder.topology;
    sharing = builder.sharing;
    gpuModels = List.copyOf(builder.gpuModels);
    nodeLabels = Collections.unmodifiableMap(new TreeMap<>(builder.nodeLabels));
    expectedWork = builder.expectedWork;
    dataset = builder.dataset;
    labels = Collections.unmodifiableMap(new TreeMap<>(builder.labels));
    parallelism = parallelismOf(builder);
    tasks = total("tasks", TaskRole::count);
    gpus = total("GPUs", TaskRole::gpus);
    requireDistinct("roles", roles.stream().map(TaskRole::name).toList());
    requireDistinct("GPU models", gpuModels);
    requireRolesOf(communication);
  }

  /**
   * Returns a builder of the job {@code id}.
   *
   * @throws IllegalArgumentException if {@code id} is blank
   */
  public static Builder builder(String id) {
    return new Builder(JobId.of(id));
  }

  /**
   * Returns a builder that starts from this job. Unless the job is elastic, its size follows the
   * count of the first role when the roles are replaced.
   */
  public Builder toBuilder() {
    Builder copy = new Builder(id);
    copy.queue = queue;
    copy.priority = priority;
    copy.preemptible = preemptible;
    copy.workload = workload;
    copy.roles.addAll(roles);
    copy.communication = communication;
    copy.parallelism = parallelism.isElastic() ? parallelism : null;
    copy.synchronization = synchronization;
    copy.topology = topology;
    copy.sharing = sharing;
    copy.gpuModels.addAll(gpuModels);
    copy.nodeLabels.putAll(nodeLabels);
    copy.expectedWork = expectedWork;
    copy.dataset = dataset;
    copy.labels.putAll(labels);
    return copy;
  }

  /** Returns the identity. */
  public JobId id() {
    return id;
  }

  /** Returns the queue; {@link QueueName#DEFAULT} by default. */
  public QueueName queue() {
    return queue;
  }

  /** Returns the priority; higher goes first, 0 by default. */
  public int priority() {
    return priority;
  }

  /** Returns whether the scheduler may stop the job and start it again later; true by default. */
  public boolean isPreemptible() {
    return preemptible;
  }

  /** Returns what the job computes; {@link Workload#UNKNOWN} by default. */
  public Workload workload() {
    return workload;
  }

  /** Returns the roles in the order they were added; at least one. */
  public List<TaskRole> roles() {
    return roles;
  }

  /** Returns the role called {@code name}, if there is one. */
  public Optional<TaskRole> role(String name) {
    return roles.stream().filter(role -> role.name().equals(name)).findFirst();
  }

  /** Returns the GPUs of all tasks together; a share counts as one GPU. */
  public int gpus() {
    return gpus;
  }

  /** Returns the number of tasks of all roles together. */
  public int tasks() {
    return tasks;
  }

  /** Returns how the tasks exchange data; {@link Communication.None} by default. */
  public Communication communication() {
    return communication;
  }

  /** Returns the sizes the first role may have; its count alone by default. */
  public Parallelism parallelism() {
    return parallelism;
  }

  /** Returns whether all tasks must run at once; {@link Synchronization.Gang} by default. */
  public Synchronization synchronization() {
    return synchronization;
  }

  /** Returns how close together the tasks must and should be; no constraint by default. */
  public TopologyConstraint topology() {
    return topology;
  }

  /** Returns whether the job shares GPUs; {@link Sharing.Exclusive} by default. */
  public Sharing sharing() {
    return sharing;
  }

  /**
   * Returns the GPU models allowed, in order of preference: all GPUs of the job are of one of them,
   * the first on which it fits. Empty if any will do; its GPUs are then of one model where that is
   * possible, and of several else.
   */
  public List<GpuModel> gpuModels() {
    return gpuModels;
  }

  /** Returns the labels a node must carry, with these values, in the order of their names. */
  public Map<String, String> nodeLabels() {
    return nodeLabels;
  }

  /** Returns how much work the user expects, if stated. */
  public Optional<ExpectedWork> expectedWork() {
    return Optional.ofNullable(expectedWork);
  }

  /** Returns the data set to bring to the node before the start, if stated. */
  public Optional<Dataset> dataset() {
    return Optional.ofNullable(dataset);
  }

  /** Returns the embedder's own labels in the order of their names; the scheduler ignores them. */
  public Map<String, String> labels() {
    return labels;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof JobSpec that && parts().equals(that.parts());
  }

  @Override
  public int hashCode() {
    return id.hashCode();
  }

  @Override
  public String toString() {
    return "job '" + id + "' (" + gpus + (gpus == 1 ? " GPU, " : " GPUs, ") + workload + ")";
  }

  private List<Object> parts() {
    return List.of(
        id,
        queue,
        priority,
        preemptible,
        workload,
        roles,
        communication,
        parallelism,
        synchronization,
        topology,
        sharing,
        gpuModels,
        nodeLabels,
        expectedWork(),
        dataset(),
        labels);
  }

  private Parallelism parallelismOf(Builder builder) {
    if (roles.isEmpty()) {
      throw new IllegalArgumentException(
          "a job needs at least one role, but had none, for job '" + id + "'. Use gpus(…)");
    }
    TaskRole first = roles.get(0);
    Parallelism sizes =
        builder.parallelism == null ? Parallelism.fixed(first.count()) : builder.parallelism;
    if (sizes.preferred() != first.count()) {
      throw new IllegalArgumentException(
          "the preferred size must be the count of the first role, but was %d and not %d, for job '%s'"
              .formatted(sizes.preferred(), first.count(), id));
    }
    return sizes;
  }

  private int total(String what, ToLongFunction<TaskRole> ofRole) {
    long total = roles.stream().mapToLong(ofRole).sum();
    if (total > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "the roles together must have at most %d %s, but had %d, for job '%s'"
              .formatted(Integer.MAX_VALUE, what, total, id));
    }
    return (int) total;
  }

  private void requireDistinct(String what, List<?> values) {
    Set<Object> seen = new HashSet<>();
    for (Object value : values) {
      if (!seen.add(value)) {
        throw new IllegalArgumentException(
            what + " must be distinct, but '" + value + "' came twice, for job '" + id + "'");
      }
    }
  }

  private void requireRolesOf(Communication pattern) {
    switch (pattern) {
      case Communication.ParameterServer ps -> {
        requireRole(ps.serverRole());
        requireRole(ps.workerRole());
      }
      case Communication.Combined combined -> combined.parts().forEach(this::requireRolesOf);
      default -> {
        // The other patterns name no role.
      }
    }
  }

  private void requireRole(String name) {
    if (role(name).isEmpty()) {
      throw new IllegalArgumentException(
          "the communication names the role '" + name + "', which job '" + id + "' does not have");
    }
  }

  /** Builds a {@link JobSpec}. Not thread-safe. */
  public static final class Builder {
    private final JobId id;
    private QueueName queue = QueueName.DEFAULT;
    private int priority;
    private boolean preemptible = true;
    private Workload workload = Workload.UNKNOWN;
    private final List<TaskRole> roles = new ArrayList<>();
    private Communication communication = new Communication.None();
    private @Nullable Parallelism parallelism;
    private Synchronization synchronization = new Synchronization.Gang();
    private TopologyConstraint topology = TopologyConstraint.NONE;
    private Sharing sharing = new Sharing.Exclusive();
    private final List<GpuModel> gpuModels = new ArrayList<>();
    private final Map<String, String> nodeLabels = new TreeMap<>();
    private @Nullable ExpectedWork expectedWork;
    private @Nullable Dataset dataset;
    private final Map<String, String> labels = new TreeMap<>();

    private Builder(JobId id) {
      this.id = id;
    }

    /** Sets the queue. */
    public Builder queue(String queue) {
      this.queue = QueueName.of(queue);
      return this;
    }

    /** Sets the priority; higher goes first. */
    public Builder priority(int priority) {
      this.priority = priority;
      return this;
    }

    /** Sets whether the scheduler may stop the job and start it again later. */
    public Builder preemptible(boolean preemptible) {
      this.preemptible = preemptible;
      return this;
    }

    /** Sets what the job computes. */
    public Builder workload(Workload workload) {
      this.workload = Objects.requireNonNull(workload, "workload");
      return this;
    }

    /**
     * Adds workers of one GPU each, {@code gpus} of them, free to be spread over nodes.
     *
     * @throws IllegalArgumentException if {@code gpus} is less than 1
     */
    public Builder gpus(int gpus) {
      if (gpus < 1) {
        throw new IllegalArgumentException(
            "gpus must be at least 1, but was "
                + gpus
                + ", for job '"
                + id
                + "'. Use role(…) for a job that needs no GPU.");
      }
      return role("worker", gpus, ResourceRequest.ofGpus(1));
    }

    /** Adds a role of {@code count} equal tasks. */
    public Builder role(String name, int count, ResourceRequest request) {
      return role(new TaskRole(name, count, request));
    }

    /** Adds a role. */
    public Builder role(TaskRole role) {
      roles.add(Objects.requireNonNull(role, "role"));
      return this;
    }

    /** Replaces all roles. */
    public Builder roles(List<TaskRole> roles) {
      this.roles.clear();
      roles.forEach(this::role);
      return this;
    }

    /** Sets how the tasks exchange data. */
    public Builder communication(Communication communication) {
      this.communication = Objects.requireNonNull(communication, "communication");
      return this;
    }

    /**
     * Makes the first role elastic. Its count must be the preferred size. Not supported yet: a
     * scheduler refuses jobs of more than one size.
     */
    public Builder parallelism(Parallelism parallelism) {
      this.parallelism = Objects.requireNonNull(parallelism, "parallelism");
      return this;
    }

    /**
     * Sets whether all tasks must run at once. Not supported yet: a scheduler refuses relaxed
     * rounds.
     */
    public Builder synchronization(Synchronization synchronization) {
      this.synchronization = Objects.requireNonNull(synchronization, "synchronization");
      return this;
    }

    /** Sets how close together the tasks must and should be. */
    public Builder topology(TopologyConstraint topology) {
      this.topology = Objects.requireNonNull(topology, "topology");
      return this;
    }

    /** Sets whether the job shares GPUs. */
    public Builder sharing(Sharing sharing) {
      this.sharing = Objects.requireNonNull(sharing, "sharing");
      return this;
    }

    /**
     * Sets the GPU models allowed, in order of preference; the job runs on one of them. None means
     * any, and several at once if no single one has enough GPUs.
     */
    public Builder gpuModels(List<GpuModel> models) {
      gpuModels.clear();
      gpuModels.addAll(models);
      return this;
    }

    /** Requires nodes to carry the label {@code name} with this value. */
    public Builder nodeLabel(String name, String value) {
      nodeLabels.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, "value"));
      return this;
    }

    /** Replaces all labels that nodes must carry. */
    public Builder nodeLabels(Map<String, String> labels) {
      nodeLabels.clear();
      labels.forEach(this::nodeLabel);
      return this;
    }

    /** Sets how much work is expected. */
    public Builder expectedWork(ExpectedWork expectedWork) {
      this.expectedWork = Objects.requireNonNull(expectedWork, "expectedWork");
      return this;
    }

    /**
     * Sets the data set to bring to the node before the start. Not supported yet: a scheduler
     * refuses jobs with one.
     */
    public Builder dataset(Dataset dataset) {
      this.dataset = Objects.requireNonNull(dataset, "dataset");
      return this;
    }

    /** Sets one of the embedder's own labels. */
    public Builder label(String name, String value) {
      labels.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, "value"));
      return this;
    }

    /**
     * Returns the job.
     *
     * @throws IllegalArgumentException if there is no role, two roles share a name, the preferred
     *     size is not the first role's count, the roles together have more than {@link
     *     Integer#MAX_VALUE} tasks or GPUs, or the communication names a role that is not there
     */
    public JobSpec build() {
      return new JobSpec(this);
    }
  }
}
