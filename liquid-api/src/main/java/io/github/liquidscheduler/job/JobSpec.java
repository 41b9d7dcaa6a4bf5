package io.github.liquidscheduler.job;

import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.text.Count;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * A deep-learning job as its user describes it: who asks, what is computed, how many tasks of which
 * request, and what the placement must and should respect. Immutable; made by {@link
 * #builder(String)}, where everything but the id and one role has a harmless default.
 */
public final class JobSpec {

  private final JobId id;
  private final JobDescription parts;
  private final int tasks;
  private final int gpus;
  private final List<TaskRole> sizedRoles;
  private final List<JobSpec> topologyParts;

  private JobSpec(JobDescription description) {
    id = description.id;
    parts = description.checked();
    tasks = parts.total("tasks", TaskRole::count);
    gpus = parts.total("GPUs", TaskRole::gpus);
    sizedRoles = parts.sizedRoles();
    topologyParts = TopologyParts.of(this);
  }

  /**
   * Returns a builder of the job {@code id}.
   *
   * @throws IllegalArgumentException if {@code id} is blank
   */
  public static Builder builder(String id) {
    return builder(JobId.of(id));
  }

  /** Returns a builder of the job {@code id}. */
  public static Builder builder(JobId id) {
    return new Builder(new JobDescription(Objects.requireNonNull(id, "id")));
  }

  /**
   * Returns a builder that starts from this job. Unless sizes of the first role were stated, those
   * of the job follow its roles and groups when they are replaced.
   */
  public Builder toBuilder() {
    return new Builder(parts.copyAs(id));
  }

  /** Returns the same job under another id; itself if it is its own. */
  public JobSpec withId(JobId id) {
    return id.equals(id()) ? this : new JobSpec(parts.copyAs(id));
  }

  /**
   * Returns the job at one of its sizes, and at no other: each role has as many tasks as it comes
   * to while the job gets larger step by step.
   *
   * @throws IllegalArgumentException if it is not allowed to have that size
   */
  public JobSpec atSize(int tasks) {
    if (!parallelism().allowedSizes().contains(tasks)) {
      throw new IllegalArgumentException(
          "a size must be one of %s, but was %d, for job '%s'"
              .formatted(parallelism().allowedSizes(), tasks, id()));
    }
    return parallelism().isElastic()
        ? RoleCounts.least(this).at(tasks).orElseThrow().sized()
        : this;
  }

  /** Returns the job at its smallest size; itself if it has one size only. */
  public JobSpec atLeastSize() {
    return parallelism().isElastic() ? atSize(parallelism().min()) : this;
  }

  /** Returns the identity. */
  public JobId id() {
    return id;
  }

  /** Returns the queue; {@link QueueName#DEFAULT} by default. */
  public QueueName queue() {
    return parts.queue;
  }

  /** Returns the priority; higher goes first, 0 by default. */
  public int priority() {
    return parts.priority;
  }

  /** Returns true if the scheduler may stop the job and start it again later; true by default. */
  public boolean isPreemptible() {
    return parts.preemptible;
  }

  /** Returns the computation of the job; {@link Workload#UNKNOWN} by default. */
  public Workload workload() {
    return parts.workload;
  }

  /** Returns the job with exactly these numbers of tasks, one a role, which it must allow. */
  JobSpec withTasks(List<Integer> tasks) {
    if (!parallelism().isElastic()) {
      return this;
    }
    List<TaskRole> some = new ArrayList<>();
    for (int role = 0; role < tasks.size(); role++) {
      if (tasks.get(role) > 0) {
        some.add(roles().get(role).withCount(tasks.get(role)).atLeast(tasks.get(role)));
      }
    }
    Builder sized = toBuilder().roles(some).groups(parts.groupsOf(some));
    sized.parts.parallelism = null;
    return sized.build();
  }

  CountRules rules() {
    return parts.rules();
  }

  /** Returns the roles in the order they were added; at least one. */
  public List<TaskRole> roles() {
    return parts.roles;
  }

  /** Returns the groups of roles in the order they were added; none by default. */
  public List<RoleGroup> groups() {
    return parts.groups;
  }

  /**
   * Returns the roles whose tasks count for the size of the job: those that may have several
   * numbers of tasks, the first role if there are none.
   */
  public List<TaskRole> sizedRoles() {
    return sizedRoles;
  }

  /** Returns the role called {@code name}, if there is one. */
  public Optional<TaskRole> role(String name) {
    return parts.roles.stream().filter(role -> role.name().equals(name)).findFirst();
  }

  /** Returns the GPUs of all tasks together; a share counts as one GPU. */
  public int gpus() {
    return gpus;
  }

  /**
   * Returns the GPUs of all tasks of its {@linkplain #sizedRoles() sized roles} at a size; at one
   * that the job does not come through as it gets larger, those at the next smaller one.
   */
  public int sizedGpus(int size) {
    if (sizedRoles.size() == 1) {
      return size * sizedRoles.getFirst().request().gpus();
    }
    int known = parallelism().largestWithin(size).orElse(parallelism().min());
    List<Integer> tasks = RoleCounts.least(this).at(known).orElseThrow().tasks();
    int sum = 0;
    for (int role = 0; role < tasks.size(); role++) {
      sum += rules().isSized(role) ? tasks.get(role) * roles().get(role).request().gpus() : 0;
    }
    return sum;
  }

  /** Returns the number of tasks of all roles together. */
  public int tasks() {
    return tasks;
  }

  /** Returns the communication between the tasks; {@link Communication.None} by default. */
  public Communication communication() {
    return parts.communication;
  }

  /**
   * Returns the sizes of the job, which are numbers of tasks of its {@linkplain #sizedRoles() sized
   * roles}: those stated of the first role; else those that it comes through from the least that
   * its roles and groups need to all their tasks; the count of the first role alone by default.
   */
  public Parallelism parallelism() {
    return parts.rules().sizes();
  }

  /**
   * Returns true if sizes of the first role were stated, if the job is elastic; else they follow
   * from what its roles and groups need at least.
   */
  public boolean hasStatedSizes() {
    return rules() instanceof FirstRoleSizes;
  }

  /** Returns true if all tasks must run at once; {@link Synchronization.Gang} by default. */
  public Synchronization synchronization() {
    return parts.synchronization;
  }

  /** Returns the required and the preferred closeness of the tasks; no constraint by default. */
  public TopologyConstraint topology() {
    return parts.topology;
  }

  /**
   * Returns the parts of the job that must and should be close together by themselves, and those
   * that need not, each as a job of its roles alone, with what is asked of it as its {@link
   * #topology()}. Empty if no role or group has a topology.
   */
  public List<JobSpec> topologyParts() {
    return topologyParts;
  }

  /** Returns true if the job shares GPUs; {@link Sharing.Exclusive} by default. */
  public Sharing sharing() {
    return parts.sharing;
  }

  /**
   * Returns the GPU models allowed, in order of preference: all GPUs of the job are of one of them,
   * the first on which it fits. Empty if any will do; its GPUs are then of one model where that is
   * possible, and of several else.
   */
  public List<GpuModel> gpuModels() {
    return parts.gpuModels;
  }

  /**
   * Returns the labels a node of any task must carry, with these values, in the order of their
   * names; roles may ask for more.
   */
  public Map<String, String> nodeLabels() {
    return parts.nodeLabels;
  }

  /**
   * Returns the labels a node of the tasks of a role must carry: those that the job asks for, and
   * the role. In the order of their names.
   */
  public Map<String, String> nodeLabels(TaskRole role) {
    return role.nodeLabels().isEmpty()
        ? nodeLabels()
        : JobDescription.together(nodeLabels(), role.nodeLabels());
  }

  /** Returns true if a role asks for labels of its own. */
  public boolean hasLabelledRoles() {
    return parts.hasLabelledRoles();
  }

  /** Returns the ids of the nodes that no task may run on, in their order. */
  public SortedSet<String> excludedNodes() {
    return parts.excludedNodes;
  }

  /** Returns the work that the user expects, if stated. */
  public Optional<ExpectedWork> expectedWork() {
    return Optional.ofNullable(parts.expectedWork);
  }

  /** Returns the deadline for the end of the job, if stated. */
  public Optional<Instant> deadline() {
    return Optional.ofNullable(parts.deadline);
  }

  /** Returns when the job was submitted, if that is not when the scheduler is told of it. */
  public Optional<Instant> submittedAt() {
    return Optional.ofNullable(parts.submittedAt);
  }

  /**
   * Returns the data sets, images and the like that each node of the job needs before the job
   * trains; nothing by default.
   */
  public List<Dataset> datasets() {
    return parts.datasets;
  }

  /** Returns the embedder's own labels in the order of their names; the scheduler ignores them. */
  public Map<String, String> labels() {
    return parts.labels;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof JobSpec that && parts.values().equals(that.parts.values());
  }

  @Override
  public int hashCode() {
    return id.hashCode();
  }

  @Override
  public String toString() {
    return "job '" + id + "' (" + Count.of(gpus, "GPU") + ", " + parts.workload + ")";
  }

  /** Builds a {@link JobSpec}. Not thread-safe. */
  public static final class Builder {
    private final JobDescription parts;

    private Builder(JobDescription parts) {
      this.parts = parts;
    }

    /** Sets the queue. */
    public Builder queue(String queue) {
      parts.queue = QueueName.of(queue);
      return this;
    }

    /** Sets the priority; higher goes first. */
    public Builder priority(int priority) {
      parts.priority = priority;
      return this;
    }

    /** Sets whether the scheduler may stop the job and start it again later. */
    public Builder preemptible(boolean preemptible) {
      parts.preemptible = preemptible;
      return this;
    }

    /** Sets what the job computes. */
    public Builder workload(Workload workload) {
      parts.workload = Objects.requireNonNull(workload, "workload");
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
            "gpus must be at least 1, but was %d, for job '%s'. Use role(…) for a job that needs no GPU."
                .formatted(gpus, parts.id));
      }
      return role("worker", gpus, ResourceRequest.ofGpus(1));
    }

    /** Adds a role of {@code count} equal tasks. */
    public Builder role(String name, int count, ResourceRequest request) {
      return role(new TaskRole(name, count, request));
    }

    /** Adds a role. */
    public Builder role(TaskRole role) {
      parts.roles = JobDescription.with(parts.roles, Objects.requireNonNull(role, "role"));
      return this;
    }

    /** Replaces all roles. */
    public Builder roles(List<TaskRole> roles) {
      parts.roles = List.copyOf(roles);
      return this;
    }

    /** Adds a group of roles, or of groups. */
    public Builder group(RoleGroup group) {
      parts.groups = JobDescription.with(parts.groups, Objects.requireNonNull(group, "group"));
      return this;
    }

    /** Replaces all groups. */
    public Builder groups(List<RoleGroup> groups) {
      parts.groups = List.copyOf(groups);
      return this;
    }

    /** Sets how the tasks exchange data. */
    public Builder communication(Communication communication) {
      parts.communication = Objects.requireNonNull(communication, "communication");
      return this;
    }

    /**
     * Makes the first role elastic. Its count must be the preferred size. Other roles and groups
     * must then need all their tasks.
     */
    public Builder parallelism(Parallelism parallelism) {
      parts.parallelism = Objects.requireNonNull(parallelism, "parallelism");
      return this;
    }

    /**
     * Sets whether all tasks must run at once. Jobs in relaxed rounds need a {@code
     * PooledScheduler} around the scheduler of a cluster, which refuses them alone.
     */
    public Builder synchronization(Synchronization synchronization) {
      parts.synchronization = Objects.requireNonNull(synchronization, "synchronization");
      return this;
    }

    /** Sets how close together the tasks must and should be. */
    public Builder topology(TopologyConstraint topology) {
      parts.topology = Objects.requireNonNull(topology, "topology");
      return this;
    }

    /** Sets whether the job shares GPUs. */
    public Builder sharing(Sharing sharing) {
      parts.sharing = Objects.requireNonNull(sharing, "sharing");
      return this;
    }

    /**
     * Sets the GPU models allowed, in order of preference; the job runs on one of them. None means
     * any, and several at once if no single one has enough GPUs.
     */
    public Builder gpuModels(List<GpuModel> models) {
      parts.gpuModels = List.copyOf(models);
      return this;
    }

    /** Requires nodes to carry the label {@code name} with this value. */
    public Builder nodeLabel(String name, String value) {
      parts.nodeLabels = JobDescription.withLabel(parts.nodeLabels, name, value);
      return this;
    }

    /** Replaces all labels that nodes must carry. */
    public Builder nodeLabels(Map<String, String> labels) {
      parts.nodeLabels = Collections.emptyMap();
      labels.forEach(this::nodeLabel);
      return this;
    }

    /**
     * Keeps the job off nodes, such as those on which it has failed before; adds to those named
     * before. Ids that the cluster does not have mean nothing.
     */
    public Builder excludeNodes(Collection<String> nodes) {
      parts.excludedNodes = JobDescription.with(parts.excludedNodes, nodes);
      return this;
    }

    /** Sets how much work is expected. */
    public Builder expectedWork(ExpectedWork expectedWork) {
      return expectedWork(Optional.of(Objects.requireNonNull(expectedWork, "expectedWork")));
    }

    /** Sets the expected work, or that there is none. */
    public Builder expectedWork(Optional<ExpectedWork> expectedWork) {
      parts.expectedWork = expectedWork.orElse(null);
      return this;
    }

    /**
     * Sets when the job has to have ended. A scheduler heeds it where it was told what becomes of
     * jobs that cannot; its policy may as well.
     */
    public Builder deadline(Instant deadline) {
      parts.deadline = Objects.requireNonNull(deadline, "deadline");
      return this;
    }

    /**
     * Sets when the job was submitted, for one that has waited before the scheduler is told of it.
     * Its age counts from then: for policies, for {@code Backfill.holdingAfter} and in what it is
     * said to have waited. Among jobs of equal rank the one told first goes first all the same. An
     * update does not change it.
     */
    public Builder submittedAt(Instant submittedAt) {
      parts.submittedAt = Objects.requireNonNull(submittedAt, "submittedAt");
      return this;
    }

    /**
     * Adds a data set, or an image, that each node which runs a task of the job has to have before
     * the job trains.
     */
    public Builder dataset(Dataset dataset) {
      parts.datasets =
          JobDescription.with(parts.datasets, Objects.requireNonNull(dataset, "dataset"));
      return this;
    }

    /** Sets one of the embedder's own labels. */
    public Builder label(String name, String value) {
      parts.labels = JobDescription.withLabel(parts.labels, name, value);
      return this;
    }

    /**
     * Returns the job.
     *
     * @throws IllegalArgumentException if there is no role, two roles or groups share a name, a
     *     group has members that are not there or are in another one, the preferred size is not the
     *     first role's count, the roles together have more than {@link Integer#MAX_VALUE} tasks or
     *     GPUs, or the communication names a role that is not there or may not run
     */
    public JobSpec build() {
      return new JobSpec(parts);
    }
  }
}
