package io.github.liquidscheduler.job;

import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.text.Text;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a {@link JobSpec}, and their consistency. A builder changes its own; that of a job
 * is a copy which nobody changes.
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
  // Nobody changes a list, set or map: a builder puts another in its place. So copies share them.
  List<TaskRole> roles = List.of();
  List<RoleGroup> groups = List.of();
  Communication communication = NO_COMMUNICATION;
  @Nullable Parallelism parallelism;
  private @Nullable CountRules rules;
  Synchronization synchronization = GANG;
  TopologyConstraint topology = TopologyConstraint.NONE;
  Sharing sharing = EXCLUSIVE;
  List<GpuModel> gpuModels = List.of();
  Map<String, String> nodeLabels = Collections.emptyMap();
  SortedSet<String> excludedNodes = Collections.emptySortedSet();
  @Nullable ExpectedWork expectedWork;
  @Nullable Instant deadline;
  @Nullable Instant submittedAt;
  List<Dataset> datasets = List.of();
  Map<String, String> labels = Collections.emptyMap();

  JobDescription(JobId id) {
    this.id = id;
  }

  /** Makes a copy that goes its own way from here. */
  JobDescription(JobDescription from) {
    this(from.id, from);
  }

  /** Makes a copy under another id. */
  JobDescription(JobId id, JobDescription from) {
    this.id = id;
    queue = from.queue;
    priority = from.priority;
    preemptible = from.preemptible;
    workload = from.workload;
    roles = from.roles;
    groups = from.groups;
    communication = from.communication;
    parallelism = from.parallelism;
    synchronization = from.synchronization;
    topology = from.topology;
    sharing = from.sharing;
    gpuModels = from.gpuModels;
    nodeLabels = from.nodeLabels;
    excludedNodes = from.excludedNodes;
    expectedWork = from.expectedWork;
    deadline = from.deadline;
    submittedAt = from.submittedAt;
    datasets = from.datasets;
    labels = from.labels;
  }

  /**
   * Returns a copy under an id, for a builder: sizes that were not stated follow the roles. The
   * description is checked.
   */
  JobDescription copyAs(JobId name) {
    JobDescription copy = new JobDescription(name, this);
    boolean isStated = rules() instanceof FirstRoleSizes && rules().sizes().isElastic();
    copy.parallelism = isStated ? parallelism : null;
    return copy;
  }

  boolean hasLabelledRoles() {
    for (TaskRole role : roles) {
      if (!role.nodeLabels().isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /** Returns a list with one more at its end. */
  static <T> List<T> with(List<T> some, T one) {
    if (some.isEmpty()) {
      return List.of(one);
    }
    List<T> all = new ArrayList<>(some);
    all.add(one);
    return List.copyOf(all);
  }

  /** Returns labels with one more, or one of another value. */
  static Map<String, String> with(Map<String, String> some, String name, String value) {
    Map<String, String> all = new TreeMap<>(some);
    all.put(name, value);
    return Collections.unmodifiableMap(all);
  }

  /** Returns a set with more ids of nodes. */
  static SortedSet<String> with(SortedSet<String> some, Collection<String> more) {
    SortedSet<String> all = new TreeSet<>(some);
    all.addAll(more);
    return all.isEmpty() ? Collections.emptySortedSet() : Collections.unmodifiableSortedSet(all);
  }

  /**
   * Returns a copy that is known to be right.
   *
   * @throws IllegalArgumentException if the parts do not go together
   */
  JobDescription checked() {
    JobDescription copy = new JobDescription(this);
    @Nullable RoleTree tree = hasOnlyWorkers() ? null : tree();
    copy.rules = tree != null && tree.isElastic() ? requireNoOtherSizes(tree) : firstRoleSizes();
    copy.parallelism = copy.rules.sizes();
    requireDistinct("roles", roles, TaskRole::name);
    requireDistinct("GPU models", gpuModels, GpuModel::name);
    requireDistinct("data sets", datasets, Dataset::name);
    requireRolesOf(communication, tree);
    requireSlicesOfParts();
    roles.forEach(this::requireSameLabels);
    return copy;
  }

  private void requireSameLabels(TaskRole role) {
    role.nodeLabels()
        .forEach(
            (label, value) -> {
              String ofJob = nodeLabels.getOrDefault(label, value);
              if (!ofJob.equals(value)) {
                throw new IllegalArgumentException(
                    "a role must not ask for another value of a label than its job, but role '%s' asked for '%s' of '%s' instead of '%s', for job '%s'"
                        .formatted(role.name(), value, label, ofJob, id));
              }
            });
  }

  static Map<String, String> together(Map<String, String> some, Map<String, String> more) {
    Map<String, String> all = new TreeMap<>(some);
    all.putAll(more);
    return Collections.unmodifiableMap(all);
  }

  /** Returns the groups of a job that has some of the roles only, all of which have to run. */
  List<RoleGroup> groupsOf(List<TaskRole> some) {
    Set<String> there = new HashSet<>();
    some.forEach(role -> there.add(role.name()));
    Map<String, List<String>> members = new LinkedHashMap<>();
    boolean goesOn = true;
    while (goesOn) {
      members.clear();
      for (RoleGroup group : groups) {
        List<String> left = group.members().stream().filter(there::contains).toList();
        if (!left.isEmpty()) {
          members.put(group.name(), left);
        }
      }
      goesOn = there.addAll(members.keySet());
    }
    return groups.stream()
        .filter(group -> members.containsKey(group.name()))
        .map(group -> group.only(Objects.requireNonNull(members.get(group.name()))))
        .toList();
  }

  /** Returns labels and another one. */
  static Map<String, String> withLabel(Map<String, String> labels, String name, String value) {
    return with(
        labels, Text.require(name, "a label's name"), Text.require(value, "a label's value"));
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
        groups,
        communication,
        rules().sizes(),
        synchronization,
        topology,
        sharing,
        gpuModels,
        nodeLabels,
        excludedNodes,
        Optional.ofNullable(expectedWork),
        Optional.ofNullable(deadline),
        Optional.ofNullable(submittedAt),
        datasets,
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

  /** Returns the rules for the numbers of tasks. The description is checked. */
  CountRules rules() {
    return Objects.requireNonNull(rules);
  }

  /** Returns the roles whose tasks count for the size. The description is checked. */
  List<TaskRole> sizedRoles() {
    List<TaskRole> sized = new ArrayList<>();
    for (int role = 0; role < roles.size(); role++) {
      if (rules().isSized(role)) {
        sized.add(roles.get(role));
      }
    }
    return sized.size() == roles.size() ? roles : List.copyOf(sized);
  }

  /** Returns true if there is one role, all of whose tasks have to run, as in most jobs. */
  private boolean hasOnlyWorkers() {
    return roles.size() == 1
        && groups.isEmpty()
        && roles.getFirst().min() == roles.getFirst().count();
  }

  private RoleTree tree() {
    if (roles.isEmpty()) {
      throw new IllegalArgumentException(
          "a job needs at least one role, but had none, for job '" + id + "'. Use gpus(…)");
    }
    return new RoleTree(id, roles, groups);
  }

  private CountRules firstRoleSizes() {
    int first = roles.get(0).count();
    Parallelism sizes = parallelism == null ? Parallelism.fixed(first) : parallelism;
    if (sizes.preferred() != first) {
      throw new IllegalArgumentException(
          "the preferred size must be the count of the first role, but was %d and not %d, for job '%s'"
              .formatted(sizes.preferred(), first, id));
    }
    return new FirstRoleSizes(roles, sizes);
  }

  private CountRules requireNoOtherSizes(RoleTree tree) {
    if (parallelism != null) {
      throw new IllegalArgumentException(
          "a job must have either sizes of its first role or roles and groups with a min, but had sizes %s as well, for job '%s'"
              .formatted(parallelism.allowedSizes(), id));
    }
    return tree;
  }

  private void requireSlicesOfParts() {
    boolean limitsAll = topology.slices().isPresent() || topology.spread().isPresent();
    if (limitsAll && TopologyParts.areIn(roles, groups)) {
      throw new IllegalArgumentException(
          "slices and spread must be stated of roles or groups where any of them has a topology, but were of all, for job '%s'"
              .formatted(id));
    }
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

  private void requireRolesOf(Communication pattern, @Nullable RoleTree tree) {
    switch (pattern) {
      case Communication.ParameterServer ps -> {
        requireRole(ps.serverRole(), tree);
        requireRole(ps.workerRole(), tree);
      }
      case Communication.Combined combined ->
          combined.parts().forEach(part -> requireRolesOf(part, tree));
      default -> {
        // The other patterns name no role.
      }
    }
  }

  private void requireRole(String name, @Nullable RoleTree tree) {
    int role = roles.stream().map(TaskRole::name).toList().indexOf(name);
    if (role < 0) {
      throw new IllegalArgumentException(
          "the communication names the role '" + name + "', which job '" + id + "' does not have");
    }
    if (tree != null && tree.isOptional(role)) {
      throw new IllegalArgumentException(
          "the communication names the role '%s', which job '%s' may run without"
              .formatted(name, id));
    }
  }
}
