package io.github.liquidscheduler.lab.domains;

import io.github.liquidscheduler.job.TopologyConstraint.Slices;
import io.github.liquidscheduler.text.Count;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The domains of all levels, with the tasks and slices of a group that each holds. */
final class CapacityTree {

  private final TaskGroup group;
  private final int mostPerNode;
  private final int[] sliceSizes;
  private final int sliceLevel;
  private final List<List<DomainCapacity>> levels = new ArrayList<>();

  CapacityTree(List<String> names, List<NodeCapacity> nodes, TaskGroup group, DomainRule rule) {
    this.group = group;
    mostPerNode = Integer.MAX_VALUE / Math.max(1, nodes.size());
    sliceSizes = new int[names.size()];
    for (Slices slices : rule.slices()) {
      sliceSizes[index(names, slices.level())] = slices.tasks();
    }
    int first = 0;
    while (first < names.size() - 1 && sliceSizes[first] == 0) {
      first++;
    }
    sliceLevel = first;
    sliceSizes[first] = Math.max(1, sliceSizes[first]);
    names.forEach(name -> levels.add(new ArrayList<>()));
    build(nodes);
    levels.get(0).forEach(this::count);
  }

  /**
   * Returns the position of the level of this name, 0 for the widest.
   *
   * @throws IllegalArgumentException if none has
   */
  static int index(List<String> names, String name) {
    int index = names.indexOf(name);
    if (index < 0) {
      throw new IllegalArgumentException(
          "a level must be one of %s, but was '%s'".formatted(names, name));
    }
    return index;
  }

  private void build(List<NodeCapacity> nodes) {
    Map<List<String>, DomainCapacity> domains = new LinkedHashMap<>();
    for (NodeCapacity node : nodes) {
      if (node.path().size() != levels.size()) {
        throw new IllegalArgumentException(
            "a node must lie in a domain of each of %s, but lies in %s"
                .formatted(Count.of(levels.size(), "level"), node.path()));
      }
      domain(node.path(), domains).nodes.add(node);
    }
  }

  private DomainCapacity domain(List<String> path, Map<List<String>, DomainCapacity> domains) {
    DomainCapacity known = domains.get(path);
    if (known != null) {
      return known;
    }
    DomainCapacity domain = new DomainCapacity(List.copyOf(path));
    domains.put(path, domain);
    levels.get(domain.level()).add(domain);
    if (domain.level() > 0) {
      domain(path.subList(0, domain.level()), domains).children.add(domain);
    }
    return domain;
  }

  private void count(DomainCapacity domain) {
    domain.children.forEach(this::count);
    if (domain.level() == levels.size() - 1) {
      countNodes(domain);
      cut(domain);
    } else {
      recount(domain);
    }
  }

  private void countNodes(DomainCapacity domain) {
    int leastCost = Integer.MAX_VALUE;
    for (NodeCapacity node : domain.nodes) {
      int fits = node.fits(group.perTask(), mostPerNode);
      domain.tasks += fits;
      int cost = group.leader().map(leader -> leaderCost(node, leader, fits)).orElse(0);
      leastCost = Math.min(leastCost, cost);
    }
    domain.takesLeader = leastCost < Integer.MAX_VALUE;
    domain.tasksWithLeader = domain.takesLeader ? domain.tasks - leastCost : 0;
  }

  /**
   * Returns the number of tasks that the leader displaces; {@code MAX_VALUE} if it does not fit.
   */
  private int leaderCost(NodeCapacity node, Map<String, Long> leader, int fits) {
    return node.fits(leader, 1) == 0
        ? Integer.MAX_VALUE
        : fits - node.without(1, leader).fits(group.perTask(), mostPerNode);
  }

  /** Recounts a domain from its parts. */
  void recount(DomainCapacity domain) {
    domain.tasks = 0;
    domain.slices = 0;
    domain.takesLeader = false;
    int tasksLost = Integer.MAX_VALUE;
    int slicesLost = Integer.MAX_VALUE;
    for (DomainCapacity child : domain.children) {
      domain.tasks += child.tasks;
      domain.slices += child.slices;
      if (child.takesLeader) {
        domain.takesLeader = true;
        tasksLost = Math.min(tasksLost, child.tasks - child.tasksWithLeader);
        slicesLost = Math.min(slicesLost, child.slices - child.slicesWithLeader);
      }
    }
    domain.tasksWithLeader = domain.takesLeader ? domain.tasks - tasksLost : 0;
    domain.slicesWithLeader = domain.takesLeader ? domain.slices - slicesLost : 0;
    cut(domain);
  }

  /** Counts slices where they begin, and whole ones below. */
  private void cut(DomainCapacity domain) {
    int size = sliceSizes[domain.level()];
    if (domain.level() == sliceLevel) {
      domain.slices = domain.tasks / size;
      domain.slicesWithLeader = domain.tasksWithLeader / size;
    } else if (domain.level() > sliceLevel && size > 0) {
      domain.tasks -= domain.tasks % size;
      domain.tasksWithLeader -= domain.tasksWithLeader % size;
    }
  }

  List<DomainCapacity> level(int level) {
    return levels.get(level);
  }

  int lowest() {
    return levels.size() - 1;
  }

  /** Returns the widest level that has slices; the narrowest level if there are none. */
  int sliceLevel() {
    return sliceLevel;
  }

  /** Returns the number of tasks in a slice of that level. */
  int sliceSize() {
    return sliceSizes[sliceLevel];
  }

  /** Returns the number of tasks that stay together at a level below that of the widest slices. */
  int unit(int level) {
    for (int at = level; at < sliceSizes.length; at++) {
      if (sliceSizes[at] > 0) {
        return sliceSizes[at];
      }
    }
    return 1;
  }
}
