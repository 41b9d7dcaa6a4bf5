package io.github.liquidscheduler.lab.domains;

import io.github.liquidscheduler.job.TopologyConstraint.Slices;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Assigns the equal tasks of a group to domains of a topology, by the number of tasks that each
 * holds. Among domains that hold all tasks the smallest is chosen, so that large ones stay free.
 * Deterministic: of equal domains the first by name. Immutable.
 */
public final class DomainAssigner {

  private final List<String> levels;
  private final List<NodeCapacity> nodes;

  /**
   * Makes an assigner for the current state of a cluster.
   *
   * @param levels the names of the levels, the widest first
   * @param nodes the free amounts; several nodes may lie in one domain of the narrowest level
   * @throws IllegalArgumentException if there is no level
   */
  public DomainAssigner(List<String> levels, List<NodeCapacity> nodes) {
    this.levels = List.copyOf(levels);
    this.nodes = List.copyOf(nodes);
    if (levels.isEmpty()) {
      throw new IllegalArgumentException("there must be a level, but is none");
    }
  }

  /**
   * Returns the assignment of a group; empty if it does not fit, or does not consist of whole
   * slices.
   *
   * @throws IllegalArgumentException if the rule names a level that is not there, or a node does
   *     not lie in a domain of each level
   */
  public Optional<DomainAssignment> assign(TaskGroup group, DomainRule rule) {
    return new DomainSearch(levels, nodes, group, rule).find();
  }

  /**
   * Returns the assignment of a group after a domain of the narrowest level failed: only its tasks
   * move. If a slice broke, its tasks stay within the domain of that slice; else, if a level is
   * required, within the domain of the others. Empty if that is not possible.
   *
   * @param assignment the assignment so far, whose amounts are not free
   * @param failed the domain that failed
   */
  public Optional<DomainAssignment> replace(
      DomainAssignment assignment, List<String> failed, TaskGroup group, DomainRule rule) {
    DomainAssignment kept = assignment.without(failed);
    int missing = assignment.tasks() - kept.tasks();
    if (missing == 0) {
      return Optional.of(assignment);
    }
    List<String> within = boundary(kept, failed, missing, rule);
    List<NodeCapacity> candidates =
        nodes.stream()
            .filter(node -> !node.path().equals(failed))
            .filter(node -> node.path().subList(0, within.size()).equals(within))
            .toList();
    List<Slices> whole =
        rule.slices().stream().filter(slices -> missing % slices.tasks() == 0).toList();
    return new DomainAssigner(levels, candidates)
        .assign(TaskGroup.of(missing, group.perTask()), rule.withSlices(whole))
        .map(kept::and);
  }

  /** Returns the domain in which missing tasks must lie; none at all has an empty path. */
  private List<String> boundary(
      DomainAssignment kept, List<String> failed, int missing, DomainRule rule) {
    List<Slices> broken = new ArrayList<>(rule.slices());
    broken.removeIf(slices -> missing % slices.tasks() == 0);
    if (!broken.isEmpty()) {
      Slices narrowest = broken.get(broken.size() - 1);
      return failed.subList(0, CapacityTree.index(levels, narrowest.level()) + 1);
    }
    if (rule.reach() == DomainRule.Reach.REQUIRED && !kept.parts().isEmpty()) {
      int level = CapacityTree.index(levels, rule.level().orElseThrow());
      return kept.parts().get(0).path().subList(0, level + 1);
    }
    return List.of();
  }
}
