package io.github.liquidscheduler.placement.makeroom;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import java.util.BitSet;

/** The nodes of a placement by their positions, and the GPUs held on each, in plain numbers. */
public final class NodeSet {

  private final ClusterTopology topology;
  private final int[] nodes;
  private final int[] gpus;

  /** Reads the nodes of a placement. */
  public NodeSet(Placement placement, ClusterTopology topology) {
    this.topology = topology;
    nodes = new int[placement.tasks().size()];
    gpus = new int[nodes.length];
    for (int i = 0; i < nodes.length; i++) {
      TaskPlacement task = placement.tasks().get(i);
      nodes[i] = topology.position(task.node());
      gpus[i] = task.gpus().size();
    }
  }

  /** Returns whether the positions are those of the topology; constant time if it is the same. */
  public boolean isIn(ClusterTopology topology) {
    return this.topology.equals(topology);
  }

  /** Adds the GPUs held on each node to the node's element. */
  public void addTo(int[] gpusOfNodes) {
    for (int i = 0; i < nodes.length; i++) {
      gpusOfNodes[nodes[i]] += gpus[i];
    }
  }

  /** Adds the nodes to a set. */
  public void addTo(BitSet set) {
    for (int node : nodes) {
      set.set(node);
    }
  }

  /** Returns whether any node is in the set. */
  public boolean touches(BitSet set) {
    for (int node : nodes) {
      if (set.get(node)) {
        return true;
      }
    }
    return false;
  }
}
