package io.github.liquidscheduler.placement.gang;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.job.RoleCounts;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.job.TopologyConstraint.Slices;
import io.github.liquidscheduler.job.TopologyConstraint.Spread;
import io.github.liquidscheduler.resource.GpuShare;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/*
 * Idea: a judge apart from all searches: it looks at the finished placement only, so that plans of
 * others, resizes and restored states are checked by the rules that searches keep by construction.
 * Invariants: nothing free or taken is read; a part with a topology of its own is judged as a job;
 * tasks must be numbered from 0 in the order of the roles.
 * Cost: O(tasks x (levels + labels)), plus O(tasks) for each part; most jobs have no constraint and
 * cost O(tasks) (PlacementRulesTest).
 */
/** The rules that any placement of a job must keep, whatever is free. */
public record PlacementRules(ClusterTopology topology, JobSpec job) {

  /** Returns the first rule that a placement breaks, as a clause for people. */
  public Optional<String> brokenBy(Placement placement) {
    if (!placement.tasks().stream().allMatch(this::isThere)) {
      return Optional.of("a node or GPU is not in the cluster");
    }
    if (!isWhole(placement)) {
      return Optional.of("its tasks are not those of the job, each with what it requests");
    }
    if (!placement.tasks().stream().allMatch(this::isOnAllowedNode)
        || !isOfAllowedModel(placement)) {
      return Optional.of("a GPU model or node is not allowed");
    }
    return brokenTopology(placement);
  }

  /** Returns true if the topology constraints hold, for some tasks or all. */
  public boolean keepsTopology(Placement placement) {
    return brokenTopology(placement).isEmpty();
  }

  private Optional<String> brokenTopology(Placement placement) {
    if (!job.topology().required().stream().allMatch(level -> isBelow(level, placement.tasks()))) {
      return Optional.of("the required level does not hold");
    }
    for (JobSpec part : parts(placement)) {
      Optional<String> broken =
          new PlacementRules(topology, part).brokenTopology(partOf(placement, part));
      if (broken.isPresent()) {
        return broken;
      }
    }
    if (!holdsSlices(placement)) {
      return Optional.of("a slice is split");
    }
    if (!job.topology().spread().stream().allMatch(spread -> holds(spread, placement))) {
      return Optional.of("too many tasks lie in one domain");
    }
    return Optional.empty();
  }

  /** Returns the parts with topologies of their own that have tasks. */
  private List<JobSpec> parts(Placement placement) {
    if (job.topologyParts().isEmpty()) {
      return List.of();
    }
    Set<String> there = new LinkedHashSet<>();
    placement.tasks().forEach(task -> there.add(task.task().role()));
    return job.topologyParts().stream()
        .filter(part -> part.roles().stream().anyMatch(role -> there.contains(role.name())))
        .toList();
  }

  private static Placement partOf(Placement placement, JobSpec part) {
    return new Placement(
        placement.job(),
        placement.tasks().stream()
            .filter(task -> part.role(task.task().role()).isPresent())
            .toList());
  }

  /**
   * Returns true if the tasks are those of role counts that the job may run with, in their order.
   */
  public boolean isWhole(Placement placement) {
    List<Integer> counts = placement.tasksOf(job);
    if (!RoleCounts.isAllowed(job, counts)) {
      return false;
    }
    int next = 0;
    for (int role = 0; role < counts.size(); role++) {
      TaskRole of = job.roles().get(role);
      for (int index = 0; index < counts.get(role); index++) {
        TaskPlacement task = placement.tasks().get(next++);
        if (!task.task().equals(new TaskId(of.name(), index))
            || !holds(task.request(), of.request())) {
          return false;
        }
      }
    }
    return next == placement.tasks().size();
  }

  /**
   * Returns true if a task holds its request. Where jobs share GPUs it may hold another share, if
   * it shares itself, or a larger one, and device memory that it did not state.
   */
  private boolean holds(ResourceRequest held, ResourceRequest requested) {
    return held.equals(requested)
        || (requested.gpus() == 1
            && held.gpus() == 1
            && (!(job.sharing() instanceof Sharing.Exclusive) || !isLess(held, requested))
            && (requested.gpuMemory().isEmpty() || held.gpuMemory().equals(requested.gpuMemory()))
            && held.cpu().equals(requested.cpu())
            && held.memory().equals(requested.memory()));
  }

  private static boolean isLess(ResourceRequest held, ResourceRequest requested) {
    return share(held).compareTo(share(requested)) < 0;
  }

  private static GpuShare share(ResourceRequest request) {
    return request.share().orElse(GpuShare.WHOLE);
  }

  private boolean isThere(TaskPlacement task) {
    return topology.contains(task.node()) && task.gpuIds().allMatch(topology::contains);
  }

  private boolean isOnAllowedNode(TaskPlacement task) {
    Map<String, String> labels = topology.node(task.node()).labels();
    TaskRole role = job.role(task.task().role()).orElseThrow();
    return labels.entrySet().containsAll(job.nodeLabels(role).entrySet())
        && !job.excludedNodes().contains(task.node().value());
  }

  /** Returns true if all GPUs are of one of the models that the job names, if any. */
  private boolean isOfAllowedModel(Placement placement) {
    return job.gpuModels().isEmpty()
        || job.gpuModels().stream()
            .anyMatch(
                model ->
                    placement.gpuIds().allMatch(gpu -> topology.gpu(gpu).model().equals(model)));
  }

  /**
   * Returns true if each slice lies in one domain of its level or, where a branch lacks it, of the
   * next narrower one.
   */
  private boolean holdsSlices(Placement placement) {
    int sliced = placement.tasksOf(job).getFirst();
    return job.topology().slices().stream()
        .allMatch(slices -> holds(slices, placement.tasks().subList(0, sliced)));
  }

  private boolean holds(Slices slices, List<TaskPlacement> tasks) {
    for (int first = 0; first < tasks.size(); first += slices.tasks()) {
      int end = Math.min(tasks.size(), first + slices.tasks());
      if (!isBelow(slices.level(), tasks.subList(first, end))) {
        return false;
      }
    }
    return true;
  }

  private boolean holds(Spread spread, Placement placement) {
    Map<List<Object>, Integer> counts = new LinkedHashMap<>();
    for (TaskPlacement task : placement.tasks()) {
      Object domain = domain(task.node(), spread.level());
      int count = counts.merge(List.of(task.task().role(), domain), 1, Integer::sum);
      if (count > spread.maxTasks()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns true if all tasks lie in one domain of the level or, where a branch lacks it, of the
   * next.
   */
  private boolean isBelow(String level, List<TaskPlacement> tasks) {
    int position = topology.levels().indexOf(level);
    return level.equals(ClusterTopology.CLUSTER)
        || (position >= 0
            && topology.levels().subList(position, topology.levels().size()).stream()
                .anyMatch(narrower -> isWithin(narrower, tasks)));
  }

  /**
   * Returns true if the tasks lie in one domain of the level; a node off the level is one by
   * itself.
   */
  private boolean isWithin(String level, List<TaskPlacement> tasks) {
    NodeRange domain = domain(tasks.get(0).node(), level);
    return tasks.stream().allMatch(task -> domain.contains(topology.position(task.node())));
  }

  private NodeRange domain(NodeId node, String level) {
    return GangTopology.domain(topology, node, level);
  }
}
