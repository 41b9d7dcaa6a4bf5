package io.github.liquidscheduler.lab.baseline.grouping;

import java.util.List;

/**
 * A plan as the grouping genetic algorithm sees it: nodes, in an order that counts, each with its
 * tasks; and the tasks that found no room, without which the plan is whole. Tasks and nodes are
 * numbers. Immutable.
 */
record NodePacking(List<Group> groups, List<Integer> lost) {

  NodePacking {
    groups = List.copyOf(groups);
    lost = List.copyOf(lost);
  }

  /** A node with the tasks on it. */
  record Group(int node, List<Integer> tasks) {
    Group {
      tasks = List.copyOf(tasks);
    }
  }

  /** Returns whether every task has a node. */
  boolean isWhole() {
    return lost.isEmpty();
  }

  /** Returns how many nodes have a task. */
  int nodesUsed() {
    int used = 0;
    for (Group group : groups) {
      used += group.tasks().isEmpty() ? 0 : 1;
    }
    return used;
  }
}
