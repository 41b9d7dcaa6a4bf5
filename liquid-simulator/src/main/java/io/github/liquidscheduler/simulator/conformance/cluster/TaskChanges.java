package io.github.liquidscheduler.simulator.conformance.cluster;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How many tasks were evicted, moved and started; those of a job stand for each other. Mutable. */
final class TaskChanges {

  private int evicted;
  private int moved;
  private int started;

  /** Adds a job that was in one place and is in another. */
  void add(Optional<Placement> before, Optional<Placement> after) {
    List<NodeId> was = nodes(before);
    List<NodeId> is = nodes(after);
    List<NodeId> left = new ArrayList<>(was);
    is.forEach(left::remove);
    evicted += Math.max(0, was.size() - is.size());
    started += Math.max(0, is.size() - was.size());
    moved += left.size() - Math.max(0, was.size() - is.size());
  }

  private static List<NodeId> nodes(Optional<Placement> placement) {
    return placement
        .map(place -> place.tasks().stream().map(TaskPlacement::node).toList())
        .orElse(List.of());
  }

  /** Returns the numbers in the form of a case. */
  Map<String, Object> totals() {
    return Map.of(
        "evicted", (double) evicted, "moved", (double) moved, "started", (double) started);
  }
}
