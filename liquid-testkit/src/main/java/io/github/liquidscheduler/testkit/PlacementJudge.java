package io.github.liquidscheduler.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.GpuId;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.RoleGroup;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.job.TopologyConstraint;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.GpuShare;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** Judges placements by the topology and the job alone. */
final class PlacementJudge {
  private final PlainCluster cluster;
  private final ClusterTopology topology;

  /** Makes a judge of what may start on the cluster as it is. */
  PlacementJudge(PlainCluster cluster) {
    this.cluster = cluster;
    topology = cluster.topology();
  }

  /** Requires that the job may start there, beside those who run. */
  void requireStart(JobSpec job, Placement placement) {
    requireAllowed(job, placement);
    PlainCluster after = cluster.copy();
    after.start(job, placement);
    assertThat(after.overCommitments(placement.nodes()))
        .as("beside those who run, %s", placement)
        .isEmpty();
  }

  /**
   * Requires that the job, which has left, may have another size there, beside those who run: it
   * keeps all its GPUs or gives some up, and those it gets it might start on.
   */
  void requireResize(JobSpec job, Placement before, Placement after) {
    Set<GpuId> had = gpus(before);
    Set<GpuId> has = gpus(after);
    assertThat(has.containsAll(had) || had.containsAll(has))
        .as("in place: %s after %s", after, before)
        .isTrue();
    assertThat(after.tasks().size())
        .as("another size: %s", after)
        .isNotEqualTo(before.tasks().size());
    requireWhole(job, after);
    after.tasks().stream()
        .filter(task -> !task.gpus().isEmpty() && !had.contains(gpu(task, task.gpus().getFirst())))
        .forEach(task -> requireAllowed(job, task));
    PlainCluster then = cluster.copy();
    then.start(job, after);
    assertThat(then.overCommitments(after.nodes())).as("beside those who run, %s", after).isEmpty();
  }

  static Set<GpuId> gpus(Placement placement) {
    Set<GpuId> gpus = new LinkedHashSet<>();
    for (TaskPlacement task : placement.tasks()) {
      task.gpus().forEach(index -> gpus.add(gpu(task, index)));
    }
    return gpus;
  }

  private static GpuId gpu(TaskPlacement task, int index) {
    return new GpuId(task.node(), index);
  }

  /** Requires what holds of a placement independent of other jobs. */
  void requireAllowed(JobSpec job, Placement placement) {
    requireWhole(job, placement);
    placement.tasks().forEach(task -> requireAllowed(job, task));
  }

  private void requireWhole(JobSpec job, Placement placement) {
    assertThat(placement.job()).isEqualTo(job.id());
    assertThat(placement.tasks())
        .as("the gang of %s is whole", job)
        .extracting(TaskPlacement::task)
        .containsExactlyElementsOf(tasks(job));
    requireOneModel(job, placement);
    requireLevel(job, placement);
    requireSlices(job, placement);
    requireSpread(job, placement);
    requireParts(job, placement);
  }

  /** What roles and groups require by themselves, of all tasks below them. */
  private void requireParts(JobSpec job, Placement placement) {
    Map<String, List<String>> below = new LinkedHashMap<>();
    for (TaskRole role : job.roles()) {
      below.put(role.name(), List.of(role.name()));
      requireTogether(role.topology(), below.get(role.name()), placement);
    }
    List<RoleGroup> left = new ArrayList<>(job.groups());
    while (!left.isEmpty()) {
      RoleGroup group =
          left.stream().filter(any -> below.keySet().containsAll(any.members())).findFirst().get();
      List<String> roles =
          group.members().stream()
              .flatMap(member -> below.getOrDefault(member, List.of()).stream())
              .toList();
      below.put(group.name(), roles);
      requireTogether(group.topology(), roles, placement);
      left.remove(group);
    }
  }

  private void requireTogether(
      TopologyConstraint constraint, List<String> roles, Placement placement) {
    List<NodeId> nodes =
        placement.tasks().stream()
            .filter(task -> roles.contains(task.task().role()))
            .map(TaskPlacement::node)
            .toList();
    constraint
        .required()
        .ifPresent(
            level ->
                assertThat(isWithin(level, nodes))
                    .as("%s within one %s: %s", roles, level, placement)
                    .isTrue());
  }

  private static List<TaskId> tasks(JobSpec job) {
    return job.roles().stream()
        .flatMap(
            role ->
                IntStream.range(0, role.count()).mapToObj(index -> new TaskId(role.name(), index)))
        .toList();
  }

  private void requireAllowed(JobSpec job, TaskPlacement task) {
    Node node = topology.node(task.node());
    assertThat(cluster.health(node.id())).as("health of %s", node.id()).isEqualTo(NodeHealth.UP);
    TaskRole role = job.role(task.task().role()).orElseThrow();
    assertThat(node.labels()).containsAllEntriesOf(job.nodeLabels(role));
    assertThat(job.excludedNodes()).doesNotContain(node.id().value());
    ResourceRequest asked = role.request();
    requireGranted(job, asked, task);
    for (int index : task.gpus()) {
      GpuId gpu = new GpuId(node.id(), index);
      assertThat(cluster.isLost(gpu)).as("%s is lost", gpu).isFalse();
      assertThat(topology.gpu(gpu).memory())
          .as("memory of %s", gpu)
          .isGreaterThanOrEqualTo(asked.gpuMemory().orElse(Memory.ZERO));
    }
  }

  /**
   * The share of a GPU that is granted may be another, more, or less for a job that shares GPUs,
   * and device memory may be granted that was not stated.
   */
  private static void requireGranted(JobSpec job, ResourceRequest asked, TaskPlacement task) {
    ResourceRequest granted = task.request();
    boolean isStated = asked.gpus() != 1 || asked.gpuMemory().isPresent();
    assertThat(plain(granted, isStated)).as("granted to %s", task).isEqualTo(plain(asked, true));
    if (job.sharing() instanceof Sharing.Exclusive) {
      assertThat(task.share()).isGreaterThanOrEqualTo(asked.share().orElse(GpuShare.WHOLE));
    }
  }

  private static ResourceRequest plain(ResourceRequest request, boolean withGpuMemory) {
    ResourceRequest.Builder plain = ResourceRequest.builder().gpus(request.gpus());
    request.cpu().ifPresent(plain::cpu);
    request.memory().ifPresent(plain::memory);
    request.gpuMemory().filter(memory -> withGpuMemory).ifPresent(plain::gpuMemory);
    return plain.build();
  }

  private void requireOneModel(JobSpec job, Placement placement) {
    Set<GpuModel> models = topology.models(placement);
    if (!job.gpuModels().isEmpty()) {
      assertThat(models).as("models of %s", placement).hasSizeLessThanOrEqualTo(1);
      assertThat(job.gpuModels()).containsAll(models);
    }
  }

  private void requireLevel(JobSpec job, Placement placement) {
    job.topology()
        .required()
        .ifPresent(
            level ->
                assertThat(isWithin(level, placement.nodes()))
                    .as("within one %s: %s", level, placement)
                    .isTrue());
  }

  /** A branch may leave levels out: then a domain of a narrower level will do. */
  private boolean isWithin(String level, Collection<NodeId> nodes) {
    List<String> levels = topology.levels();
    return levels.contains(level)
        && levels.subList(levels.indexOf(level), levels.size()).stream()
            .anyMatch(narrower -> isOneDomain(narrower, nodes));
  }

  private boolean isOneDomain(String level, Collection<NodeId> nodes) {
    return nodes.stream().map(node -> domain(level, node)).distinct().count() == 1;
  }

  private void requireSlices(JobSpec job, Placement placement) {
    job.topology()
        .slices()
        .ifPresent(
            slices -> {
              TaskRole sliced = job.roles().get(0);
              for (int first = 0; first < sliced.count(); first += slices.tasks()) {
                int end = Math.min(first + slices.tasks(), sliced.count());
                List<NodeId> nodes =
                    placement.tasks().subList(first, end).stream()
                        .map(TaskPlacement::node)
                        .toList();
                assertThat(isWithin(slices.level(), nodes))
                    .as("tasks %d to %d in one %s: %s", first, end, slices.level(), placement)
                    .isTrue();
              }
            });
  }

  private void requireSpread(JobSpec job, Placement placement) {
    job.topology()
        .spread()
        .ifPresent(
            spread -> {
              Map<Object, Integer> tasks = new LinkedHashMap<>();
              for (TaskPlacement task : placement.tasks()) {
                Object domain = domain(spread.level(), task.node());
                tasks.merge(List.of(task.task().role(), domain), 1, Integer::sum);
              }
              assertThat(tasks.values())
                  .as("tasks of a role in one %s: %s", spread.level(), placement)
                  .allMatch(count -> count <= spread.maxTasks());
            });
  }

  /** Returns the level's domain that the node is in; the node itself where there is none. */
  private Object domain(String level, NodeId node) {
    Optional<Object> domain = topology.domainOf(node, level).map(Domain::id);
    return level.equals(ClusterTopology.CLUSTER) ? ClusterTopology.CLUSTER : domain.orElse(node);
  }
}
