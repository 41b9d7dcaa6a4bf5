package io.github.liquidscheduler.job;

import io.github.liquidscheduler.resource.GpuModel;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link JobSpec} says, and what its parts must be to each other. A builder changes its own;
 * that of a job is a copy which nobody changes.
 */
final class JobDescription {

  private static final Communication NO_COMMUNICATION = new Communication.None();
  private static final Synchronization GANG = new Synchronization.Gang();
  private static final Sharing EXCLUSIVE = new Sharing.Exclusive();

  final JobId id;
  QueueName queue = QueueName.DEFAULT;
  int priority;
  boolean preemptible = true;
  Workload workload = Workload.UNKNOWN;
  List<TaskRole> roles = new ArrayList<>();
  Communication communication = NO_COMMUNICATION;
  @Nullable Parallelism parallelism;
  Synchronization synchronization = GANG;
  TopologyConstraint topology = TopologyConstraint.NONE;
  Sharing sharing = EXCLUSIVE;
  List<GpuModel> gpuModels = new ArrayList<>();
  Map<String, String> nodeLabels = new TreeMap<>();
  SortedSet<String> excludedNodes = new TreeSet<>();
  @Nullable ExpectedWork expectedWork;
  @Nullable Instant deadline;
  @Nullable Dataset dataset;
  Map<String, String> labels = new TreeMap<>();

  JobDescription(JobId id) {
    this.id = id;
  }

  /** Makes a copy that may be changed. */
  JobDescription(JobDescription from) {
    id = from.id;
    queue = from.queue;
    priority = from.priority;
    preemptible = from.preemptible;
    workload = from.workload;
    roles.addAll(from.roles);
    communication = from.communication;
    parallelism = from.parallelism;
    synchronization = from.synchronization;
    topology = from.topology;
    sharing = from.sharing;
    gpuModels.addAll(from.gpuModels);
    nodeLabels.putAll(from.nodeLabels);
    excludedNodes.addAll(from.excludedNodes);
    expectedWork = from.expectedWork;
    deadline = from.deadline;
    dataset = from.dataset;
    labels.putAll(from.labels);
  }

  /**
   * Returns a copy whose lists and maps cannot be changed.
   *
   * @throws IllegalArgumentException if the parts do not go together
   */
  JobDescription checked() {
    JobDescription copy = new JobDescription(this);
    copy.roles = List.copyOf(roles);
    copy.gpuModels = List.copyOf(gpuModels);
    copy.nodeLabels = Collections.unmodifiableMap(copy.nodeLabels);
    copy.excludedNodes = Collections.unmodifiableSortedSet(copy.excludedNodes);
    copy.labels = Collections.unmodifiableMap(copy.labels);
    copy.parallelism = checkedSizes();
    requireDistinct("roles", roles, TaskRole::name);
    requireDistinct("GPU models", gpuModels, GpuModel::name);
    requireRolesOf(communication);
    return copy;
  }

  /** Returns the sizes that the first role may have. */
  Parallelism sizes() {
    return parallelism == null ? Parallelism.fixed(roles.get(0).count()) : parallelism;
  }

  /** Returns all that is said, so that two descriptions can be compared. */
  List<Object> values() {
    return List.of(
        id,
        queue,
        priority,
        preemptible,
        workload,
        roles,
        communication,
        sizes(),
        synchronization,
        topology,
        sharing,
        gpuModels,
        nodeLabels,
        excludedNodes,
        Optional.ofNullable(expectedWork),
        Optional.ofNullable(deadline),
        Optional.ofNullable(dataset),
        labels);
  }

  /** Returns the sum over all roles. */
  int total(String what, ToLongFunction<TaskRole> ofRole) {
    long total = 0;
    for (TaskRole role : roles) {
      total += ofRole.applyAsLong(role);
    }
    if (total > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "the roles together must have at most %d %s, but had %d, for job '%s'"
              .formatted(Integer.MAX_VALUE, what, total, id));
    }
    return (int) total;
  }

  private Parallelism checkedSizes() {
    if (roles.isEmpty()) {
      throw new IllegalArgumentException(
          "a job needs at least one role, but had none, for job '" + id + "'. Use gpus(…)");
    }
    Parallelism sizes = sizes();
    int first = roles.get(0).count();
    if (sizes.preferred() != first) {
      throw new IllegalArgumentException(
          "the preferred size must be the count of the first role, but was %d and not %d, for job '%s'"
              .formatted(sizes.preferred(), first, id));
    }
    return sizes;
  }

  private <T> void requireDistinct(String what, List<T> values, Function<T, String> name) {
    if (values.size() < 2) {
      return;
    }
    Set<String> seen = new HashSet<>();
    for (T value : values) {
      if (!seen.add(name.apply(value))) {
        throw new IllegalArgumentException(
            "%s must be distinct, but '%s' came twice, for job '%s'"
                .formatted(what, name.apply(value), id));
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
    if (roles.stream().noneMatch(role -> role.name().equals(name))) {
      throw new IllegalArgumentException(
          "the communication names the role '" + name + "', which job '" + id + "' does not have");
    }
  }
}
