package io.github.liquidscheduler.placement.capacity;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.placement.network.LinkLoads;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The parts of a cluster's state that change with its nodes. */
record ClusterParts(CapacityIndex index, TaskBooks books, LinkLoads loads, SharedGpus shared) {

  /**
   * Returns the parts in a changed topology: one node more or less costs array copies, other
   * changes O(nodes + tasks).
   *
   * @throws IllegalArgumentException if a job runs on a node that is gone, or a node that stays has
   *     changed
   */
  ClusterParts in(ClusterTopology changed, PlacedJobs placed) {
    Optional<Splice> nodes =
        changed.levels().equals(index.topology().levels())
            ? Splice.between(index.topology().nodes(), changed.nodes())
            : Optional.empty();
    return nodes
        .flatMap(one -> NodeSplice.of(index, changed, one))
        .map(splice -> spliced(changed, splice, placed))
        .orElseGet(() -> rebuilt(changed, placed));
  }

  private ClusterParts spliced(ClusterTopology changed, NodeSplice splice, PlacedJobs placed) {
    Splice nodes = splice.nodes();
    if (nodes.removed() > 0 && books.isUsed(nodes.at())) {
      placed.requireNoneOn(List.of(splice.node().id()));
    }
    LinkLoads moved = loads.in(loads.model().changedTo(changed), positionsBefore(changed));
    CapacityIndex after = index.spliced(changed, splice);
    return new ClusterParts(
        after, books.spliced(after, splice), moved, shared.spliced(splice.gpus()));
  }

  private ClusterParts rebuilt(ClusterTopology changed, PlacedJobs placed) {
    int[] before = positionsBefore(changed);
    placed.requireNoneOn(
        index.topology().nodes().stream()
            .map(Node::id)
            .filter(node -> !changed.contains(node))
            .collect(Collectors.toSet()));
    CapacityIndex after = new CapacityIndex(changed);
    after.takeOver(index, before);
    TaskBooks taken = TaskBooks.of(after);
    taken.takeOver(books, before);
    SharedGpus regrouped = new SharedGpus();
    if (!shared.isUnused()) {
      placed.placements().forEach(placement -> regrouped.regroup(placement, changed));
    }
    return new ClusterParts(
        after, taken, loads.in(loads.model().changedTo(changed), before), regrouped);
  }

  /** Returns the position before of each node of a topology; -1 if it is new. */
  private int[] positionsBefore(ClusterTopology changed) {
    return changed.nodes().stream().mapToInt(this::positionBefore).toArray();
  }

  private int positionBefore(Node node) {
    if (!index.topology().contains(node.id())) {
      return -1;
    }
    int position = index.topology().position(node.id());
    if (!index.topology().nodes().get(position).equals(node)) {
      throw new IllegalArgumentException("a node that stays must not change, but " + node);
    }
    return position;
  }
}
