package io.github.liquidscheduler.placement.capacity;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.placement.network.LinkLoads;
import java.util.stream.Collectors;

/** The parts of a cluster's state that change with its nodes. */
record ClusterParts(CapacityIndex index, TaskBooks books, LinkLoads loads, SharedGpus shared) {

  /**
   * Returns the parts in a changed topology; O(nodes + GPUs + links that jobs send over).
   *
   * @throws IllegalArgumentException if a job runs on a node that is gone, or a node that stays has
   *     changed
   */
  ClusterParts in(ClusterTopology changed, PlacedJobs placed) {
    int[] before = positionsBefore(changed);
    placed.requireNoneOn(
        index.leaving(before).filter(books::isUsed).mapToObj(this::id).collect(Collectors.toSet()));
    CapacityIndex after = index.in(changed, before);
    SharedGpus regrouped = shared.in(index.topology(), changed, before);
    LinkLoads moved = loads.in(loads.model().changedTo(changed, before), before);
    return new ClusterParts(after, books.in(after, before), moved, regrouped);
  }

  private NodeId id(int node) {
    return index.topology().nodes().get(node).id();
  }

  /** Returns the position before of each node of a topology; -1 if it is new. */
  private int[] positionsBefore(ClusterTopology changed) {
    int[] before = new int[changed.nodes().size()];
    int next = 0;
    for (int node = 0; node < before.length; node++) {
      before[node] = positionBefore(changed.nodes().get(node), next);
      next = before[node] < 0 ? next : before[node] + 1;
    }
    return before;
  }

  /** Returns the position before of a node, which most likely follows the one before it. */
  private int positionBefore(Node node, int likely) {
    ClusterTopology topology = index.topology();
    if (likely < topology.nodes().size() && topology.nodes().get(likely).equals(node)) {
      return likely;
    }
    if (topology.contains(node.id())) {
      int position = topology.position(node.id());
      if (topology.nodes().get(position).equals(node)) {
        return position;
      }
      throw new IllegalArgumentException("a node that stays must not change, but " + node);
    }
    return -1;
  }
}
