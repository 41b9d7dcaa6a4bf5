package io.github.liquidscheduler.lab.conformance.cluster;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How many tasks were evicted, moved and started; those of a role stand for each other. Mutable.
 */
final class TaskChanges {

  private int evicted;
  private int moved;
  private int started;

  /** Adds a job that was in one place and is in another. */
  void add(Optional<Placement> before, Optional<Placement> after) {
    Map<String, List<NodeId>> was = nodes(before);
    Map<String, List<NodeId>> is = nodes(after);
    Set<String> roles = new LinkedHashSet<>(was.keySet());
    roles.addAll(is.keySet());
    roles.forEach(role -> add(was.getOrDefault(role, List.of()), is.getOrDefault(role, List.of())));
  }

  private void add(List<NodeId> was, List<NodeId> is) {
    List<NodeId> left = new ArrayList<>(was);
    is.forEach(left::remove);
    evicted += Math.max(0, was.size() - is.size());
    started += Math.max(0, is.size() - was.size());
    moved += left.size() - Math.max(0, was.size() - is.size());
  }

  private static Map<String, List<NodeId>> nodes(Optional<Placement> placement) {
    Map<String, List<NodeId>> nodes = new LinkedHashMap<>();
    for (TaskPlacement task : placement.map(Placement::tasks).orElse(List.of())) {
      nodes.computeIfAbsent(task.task().role(), any -> new ArrayList<>()).add(task.node());
    }
    return nodes;
  }

  /** Returns the numbers in the form of a case. */
  Map<String, Object> totals() {
    return Map.of(
        "evicted", (double) evicted, "moved", (double) moved, "started", (double) started);
  }
}
