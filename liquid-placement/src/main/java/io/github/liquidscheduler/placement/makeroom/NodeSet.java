package io.github.liquidscheduler.placement.makeroom;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.Memory;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a placement by their positions, and what is held on each, in plain numbers. Tasks
 * that stand side by side on one node are counted together.
 */
public final class NodeSet {

  private final ClusterTopology topology;
  private int[] nodes;
  private int[] gpus;
  private long[] cpu;
  private long[] memory;

  /** Reads the nodes of a placement. */
  public NodeSet(Placement placement, ClusterTopology topology) {
    this.topology = topology;
    int tasks = placement.tasks().size();
    nodes = new int[tasks];
    gpus = new int[tasks];
    cpu = new long[tasks];
    memory = new long[tasks];
    trim(read(placement));
  }

  private int read(Placement placement) {
    @Nullable NodeId last = null;
    int size = 0;
    for (TaskPlacement task : placement.tasks()) {
      if (!task.node().equals(last)) {
        last = task.node();
        nodes[size++] = topology.position(last);
      }
      gpus[size - 1] += task.gpus().size();
      cpu[size - 1] += task.request().cpu().orElse(CpuCores.ZERO).millicores();
      memory[size - 1] += task.request().memory().orElse(Memory.ZERO).bytes();
    }
    return size;
  }

  private void trim(int size) {
    nodes = Arrays.copyOf(nodes, size);
    gpus = Arrays.copyOf(gpus, size);
    cpu = Arrays.copyOf(cpu, size);
    memory = Arrays.copyOf(memory, size);
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

  /** Adds what is held on each node to the node's elements, or subtracts it. */
  void addTo(int[] gpusOfNodes, long[] cpuOfNodes, long[] memoryOfNodes, int sign) {
    for (int i = 0; i < nodes.length; i++) {
      gpusOfNodes[nodes[i]] += sign * gpus[i];
      cpuOfNodes[nodes[i]] += sign * cpu[i];
      memoryOfNodes[nodes[i]] += sign * memory[i];
    }
  }

  /** Adds the nodes to a set. */
  public void addTo(BitSet set) {
    for (int node : nodes) {
      set.set(node);
    }
  }

  /** Adds what is held on the room's node to the room, to be left for others of lower rank. */
  void addTo(long rank, NodeHeadroom room) {
    for (int i = 0; i < nodes.length; i++) {
      if (nodes[i] == room.node()) {
        room.add(rank, gpus[i], cpu[i], memory[i]);
      }
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
