package io.github.liquidscheduler.placement.capacity;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.placement.network.LinkLoads;
import java.util.Comparator;
import java.util.List;

/** The parts of a cluster's state that change with its nodes. */
record ClusterParts(CapacityIndex index, TaskBooks books, LinkLoads loads, SharedGpus shared) {

  /**
   * Returns the parts in a changed topology; O(nodes + GPUs + links that jobs send over).
   *
   * @throws IllegalArgumentException if a job runs on a node that is gone
   */
  ClusterParts in(ClusterTopology changed, PlacedJobs placed) {
    int[] before = positionsBefore(changed);
    placed.requireNoneOn(
        index
            .leaving(before)
            .filter(books::isUsed)
            .mapToObj(this::id)
            .filter(node -> !changed.contains(node))
            .toList());
    List<NodeId> others = index.topology().changedIn(changed);
    List<PlacedJob> there = placed.on(others);
    there.forEach(this::takeOut);
    ClusterParts parts = in(changed, before);
    for (NodeId node : others) {
      int position = changed.position(node);
      parts.index.keepHealth(position, index, index.topology().position(node));
    }
    there.forEach(job -> parts.putBack(job, Comparator.comparingLong(placed::arrival)));
    return parts;
  }

  private void takeOut(PlacedJob job) {
    loads.removeIfAdded(job.placement().job());
    books.remove(job.placement());
  }

  /** Books a job where it was, whether there is as much now or not. */
  private void putBack(PlacedJob job, Comparator<JobId> order) {
    books.putBack(job.placement(), order);
    if (job.job() != null) {
      loads.putBack(job.job(), job.placement(), order);
    }
    shared.regroup(job.placement(), index.topology(), true);
  }

  private ClusterParts in(ClusterTopology changed, int[] before) {
    CapacityIndex after = index.in(changed, before);
    SharedGpus regrouped = shared.in(index.topology(), changed, before);
    LinkLoads moved = loads.in(loads.model().changedTo(changed, before), before);
    return new ClusterParts(after, books.in(after, before), moved, regrouped);
  }

  private NodeId id(int node) {
    return index.topology().nodes().get(node).id();
  }

  /** Returns the position before of each node of a topology; -1 if it is new or has changed. */
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
    return topology.contains(node.id()) && topology.node(node.id()).equals(node)
        ? topology.position(node.id())
        : -1;
  }
}
