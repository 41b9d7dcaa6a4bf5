package io.github.liquidscheduler.placement.domains;

import io.github.liquidscheduler.job.TopologyConstraint.Slices;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The domains of all levels, and how much of a group each can take. */
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
   * Returns which level has this name, 0 for the widest.
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
    Map<List<String>, DomainCapacity> rooms = new LinkedHashMap<>();
    for (NodeCapacity node : nodes) {
      if (node.path().size() != levels.size()) {
        throw new IllegalArgumentException(
            "a node must lie in a domain of each of %d levels, but lies in %s"
                .formatted(levels.size(), node.path()));
      }
      room(node.path(), rooms).nodes.add(node);
    }
  }

  private DomainCapacity room(List<String> path, Map<List<String>, DomainCapacity> rooms) {
    DomainCapacity known = rooms.get(path);
    if (known != null) {
      return known;
    }
    DomainCapacity room = new DomainCapacity(List.copyOf(path));
    rooms.put(path, room);
    levels.get(room.level()).add(room);
    if (room.level() > 0) {
      room(path.subList(0, room.level()), rooms).children.add(room);
    }
    return room;
  }

  private void count(DomainCapacity room) {
    room.children.forEach(this::count);
    if (room.level() == levels.size() - 1) {
      countNodes(room);
      cut(room);
    } else {
      recount(room);
    }
  }

  private void countNodes(DomainCapacity room) {
    int leastCost = Integer.MAX_VALUE;
    for (NodeCapacity node : room.nodes) {
      int fits = node.fits(group.perTask(), mostPerNode);
      room.tasks += fits;
      int cost = group.leader().map(leader -> leaderCost(node, leader, fits)).orElse(0);
      leastCost = Math.min(leastCost, cost);
    }
    room.takesLeader = leastCost < Integer.MAX_VALUE;
    room.tasksWithLeader = room.takesLeader ? room.tasks - leastCost : 0;
  }

  /** Returns how many tasks fewer fit beside the leader; no end if it does not fit. */
  private int leaderCost(NodeCapacity node, Map<String, Long> leader, int fits) {
    return node.fits(leader, 1) == 0
        ? Integer.MAX_VALUE
        : fits - node.without(1, leader).fits(group.perTask(), mostPerNode);
  }

  /** Counts anew what fits in a domain, by what fits in its parts. */
  void recount(DomainCapacity room) {
    room.tasks = 0;
    room.slices = 0;
    room.takesLeader = false;
    int tasksLost = Integer.MAX_VALUE;
    int slicesLost = Integer.MAX_VALUE;
    for (DomainCapacity child : room.children) {
      room.tasks += child.tasks;
      room.slices += child.slices;
      if (child.takesLeader) {
        room.takesLeader = true;
        tasksLost = Math.min(tasksLost, child.tasks - child.tasksWithLeader);
        slicesLost = Math.min(slicesLost, child.slices - child.slicesWithLeader);
      }
    }
    room.tasksWithLeader = room.takesLeader ? room.tasks - tasksLost : 0;
    room.slicesWithLeader = room.takesLeader ? room.slices - slicesLost : 0;
    cut(room);
  }

  /** Counts slices where they begin, and whole ones below. */
  private void cut(DomainCapacity room) {
    int size = sliceSizes[room.level()];
    if (room.level() == sliceLevel) {
      room.slices = room.tasks / size;
      room.slicesWithLeader = room.tasksWithLeader / size;
    } else if (room.level() > sliceLevel && size > 0) {
      room.tasks -= room.tasks % size;
      room.tasksWithLeader -= room.tasksWithLeader % size;
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

  /** Returns how many tasks a slice of that level has. */
  int sliceSize() {
    return sliceSizes[sliceLevel];
  }

  /** Returns how many tasks stay together at a level below that of the widest slices. */
  int unit(int level) {
    for (int at = level; at < sliceSizes.length; at++) {
      if (sliceSizes[at] > 0) {
        return sliceSizes[at];
      }
    }
    return 1;
  }
}
