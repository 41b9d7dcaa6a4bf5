package io.github.liquidscheduler.simulator.ledger;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.RoleCounts;
import io.github.liquidscheduler.job.Synchronization;
import io.github.liquidscheduler.job.TaskId;
import io.github.liquidscheduler.job.TaskRole;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntUnaryOperator;

/** Checks that a placement is what its job asked for, whatever is free. */
public final class RequirementCheck {

  private final ClusterTopology topology;

  /** Makes the check of placements on a cluster. */
  public RequirementCheck(ClusterTopology topology) {
    this.topology = topology;
  }

  /**
   * Checks a placement.
   *
   * @throws IllegalStateException if the gang is not whole, or a model, label or level that the job
   *     requires does not hold
   */
  public void require(JobSpec job, Placement placement) {
    require(isWhole(job, placement), "a gang must be whole", placement);
    require(allowsModels(job, placement), "only allowed GPU models must be used", placement);
    require(
        isOnAllowedNodes(job, placement),
        "nodes must carry the labels requested and not be excluded",
        placement);
    require(isWithin(job, placement), "the required topology level must hold", placement);
  }

  private static void require(boolean holds, String rule, Placement placement) {
    if (!holds) {
      throw new IllegalStateException(rule + ", but does not hold for " + placement);
    }
  }

  private static boolean isWhole(JobSpec job, Placement placement) {
    if (!(job.synchronization() instanceof Synchronization.Gang)) {
      return true;
    }
    if (!job.parallelism().isElastic()) {
      return isInOrder(job, placement, role -> job.roles().get(role).count());
    }
    List<Integer> counts = placement.tasksOf(job);
    return RoleCounts.isAllowed(job, counts) && isInOrder(job, placement, counts::get);
  }

  /** Returns true if the tasks are those of all roles, in order, with the given numbers. */
  private static boolean isInOrder(JobSpec job, Placement placement, IntUnaryOperator counts) {
    Iterator<TaskPlacement> tasks = placement.tasks().iterator();
    for (int role = 0; role < job.roles().size(); role++) {
      String name = job.roles().get(role).name();
      for (int index = 0; index < counts.applyAsInt(role); index++) {
        if (!tasks.hasNext() || !isTask(tasks.next().task(), name, index)) {
          return false;
        }
      }
    }
    return !tasks.hasNext();
  }

  private static boolean isTask(TaskId task, String role, int index) {
    return task.index() == index && task.role().equals(role);
  }

  private boolean allowsModels(JobSpec job, Placement placement) {
    return job.gpuModels().isEmpty() || job.gpuModels().containsAll(topology.models(placement));
  }

  private boolean isOnAllowedNodes(JobSpec job, Placement placement) {
    return isOffExcludedNodes(job, placement) && carriesLabels(job, placement);
  }

  private static boolean isOffExcludedNodes(JobSpec job, Placement placement) {
    return job.excludedNodes().isEmpty()
        || placement.nodes().stream().noneMatch(node -> job.excludedNodes().contains(node.value()));
  }

  private boolean carriesLabels(JobSpec job, Placement placement) {
    return (job.nodeLabels().isEmpty() && !job.hasLabelledRoles())
        || placement.tasks().stream().allMatch(task -> carriesLabels(job, task));
  }

  private boolean carriesLabels(JobSpec job, TaskPlacement task) {
    TaskRole role = job.role(task.task().role()).orElseThrow();
    return topology
        .node(task.node())
        .labels()
        .entrySet()
        .containsAll(job.nodeLabels(role).entrySet());
  }

  private boolean isWithin(JobSpec job, Placement placement) {
    Optional<String> required = job.topology().required();
    return required.isEmpty() || isWithin(required.get(), placement);
  }

  /** All on one node, or in one domain of the level or of a narrower one. */
  private boolean isWithin(String level, Placement placement) {
    Set<NodeId> nodes = placement.nodes();
    if (nodes.size() == 1 || level.equals(ClusterTopology.CLUSTER)) {
      return true;
    }
    int position = topology.levels().indexOf(level);
    return position >= 0
        && topology.levels().subList(position, topology.levels().size()).stream()
            .anyMatch(narrower -> isInOneDomain(narrower, nodes));
  }

  private boolean isInOneDomain(String level, Set<NodeId> nodes) {
    List<Optional<Domain>> domains =
        nodes.stream().map(node -> topology.domainOf(node, level)).distinct().toList();
    return domains.size() == 1 && domains.get(0).isPresent();
  }
}
