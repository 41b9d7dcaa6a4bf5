package io.github.liquidscheduler.placement.makeroom;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.Memory;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a placement by their positions, and what is held on each, in plain numbers. Tasks
 * that stand side by side on one node are counted together.
 */
public final class NodeSet {

  private static final int EVERYTHING = 1 << 30;

  private final ClusterTopology topology;
  private final int[] nodes;
  private final Amounts held;
  private final Shares shares;

  /** Amounts of nodes, or of those of a set in its order. */
  static final class Amounts {

    /** GPUs that are held whole. */
    final int[] gpus;

    /** GPUs of which shares are held; one counts for each share. */
    final int[] shared;

    /** The sum of these shares, in thousandths. */
    final int[] share;

    /** The same of each GPU of a cluster, in the order of its nodes; null before the first. */
    private int @Nullable [] shareOfGpu;

    /** CPU in millicores. */
    final long[] cpu;

    /** Host memory in bytes. */
    final long[] memory;

    Amounts(int size) {
      gpus = new int[size];
      shared = new int[size];
      share = new int[size];
      cpu = new long[size];
      memory = new long[size];
    }

    /** Returns the same amounts, which go their own way from here. */
    Amounts copy() {
      Amounts copy = new Amounts(gpus.length);
      for (int node = 0; node < gpus.length; node++) {
        copy.add(node, this, node, 1);
      }
      copy.shareOfGpu = shareOfGpu == null ? null : shareOfGpu.clone();
      return copy;
    }

    /**
     * Returns the same amounts of nodes that stand elsewhere.
     *
     * @param before the position of each node until now; -1 if it is new
     */
    Amounts moved(int[] before, ClusterTopology from, ClusterTopology to) {
      Amounts moved = new Amounts(before.length);
      int[] shares = new int[to.gpuCount()];
      for (int node = 0; node < before.length; node++) {
        if (before[node] >= 0) {
          moved.add(node, this, before[node], 1);
          if (shareOfGpu != null) {
            int first = from.gpusBefore(before[node]);
            int gpus = from.gpusBefore(before[node] + 1) - first;
            System.arraycopy(shareOfGpu, first, shares, to.gpusBefore(node), gpus);
          }
        }
      }
      moved.shareOfGpu = shareOfGpu == null ? null : shares;
      return moved;
    }

    private void add(int node, TaskPlacement task) {
      int count = task.gpus().size();
      int thousandths = task.share().thousandths();
      boolean isShare = thousandths < 1000;
      gpus[node] += isShare ? 0 : count;
      shared[node] += isShare ? count : 0;
      share[node] += isShare ? count * thousandths : 0;
      cpu[node] += task.request().cpu().orElse(CpuCores.ZERO).millicores();
      memory[node] += task.request().memory().orElse(Memory.ZERO).bytes();
    }

    private void add(int node, Amounts other, int otherNode, int sign) {
      gpus[node] += sign * other.gpus[otherNode];
      shared[node] += sign * other.shared[otherNode];
      share[node] += sign * other.share[otherNode];
      cpu[node] += sign * other.cpu[otherNode];
      memory[node] += sign * other.memory[otherNode];
    }

    /** Returns the sum of the shares of a GPU of the cluster, in thousandths. */
    int shareOfGpu(int gpu) {
      return shareOfGpu == null ? 0 : shareOfGpu[gpu];
    }

    private void addShares(Shares shares, int sign, ClusterTopology topology) {
      int[] known = shareOfGpu == null ? new int[topology.gpuCount()] : shareOfGpu;
      for (int i = 0; i < shares.gpus.length; i++) {
        known[shares.gpus[i]] += sign * shares.thousandths[i];
      }
      shareOfGpu = known;
    }
  }

  /** The GPUs of a cluster of which shares are held, by nodes; one comes again with each share. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Shares(int[] nodes, int[] gpus, int[] thousandths) {
    static final Shares NONE = new Shares(new int[0], new int[0], new int[0]);

    static Shares of(Placement placement, ClusterTopology topology) {
      int count = 0;
      for (TaskPlacement task : placement.tasks()) {
        count += task.share().isWhole() ? 0 : task.gpus().size();
      }
      if (count == 0) {
        return NONE;
      }
      Shares all = new Shares(new int[count], new int[count], new int[count]);
      int run = -1;
      @Nullable NodeId last = null;
      for (TaskPlacement task : placement.tasks()) {
        run += task.node().equals(last) ? 0 : 1;
        last = task.node();
        int first = topology.gpusBefore(topology.position(last));
        for (int i = 0; !task.share().isWhole() && i < task.gpus().size(); i++) {
          all.nodes[--count] = run;
          all.gpus[count] = first + task.gpus().get(i);
          all.thousandths[count] = task.share().thousandths();
        }
      }
      return all;
    }
  }

  /** Reads the nodes of a placement. */
  public NodeSet(Placement placement, ClusterTopology topology) {
    this.topology = topology;
    nodes = new int[runs(placement)];
    held = new Amounts(nodes.length);
    @Nullable NodeId last = null;
    int size = 0;
    for (TaskPlacement task : placement.tasks()) {
      if (!task.node().equals(last)) {
        last = task.node();
        nodes[size++] = topology.position(last);
      }
      held.add(size - 1, task);
    }
    shares = Shares.of(placement, topology);
  }

  private NodeSet(ClusterTopology topology, int node) {
    this.topology = topology;
    nodes = new int[] {node};
    held = new Amounts(1);
    held.gpus[0] = EVERYTHING;
    held.cpu[0] = EVERYTHING * (long) EVERYTHING;
    held.memory[0] = held.cpu[0];
    shares = Shares.NONE;
  }

  /** Returns the node at a position, with more of everything than any node has. */
  public static NodeSet all(ClusterTopology topology, int node) {
    return new NodeSet(topology, node);
  }

  private static int runs(Placement placement) {
    @Nullable NodeId last = null;
    int runs = 0;
    for (TaskPlacement task : placement.tasks()) {
      runs += task.node().equals(last) ? 0 : 1;
      last = task.node();
    }
    return runs;
  }

  /** Returns whether the positions are those of this very topology, not of an equal one. */
  @SuppressWarnings("ReferenceEquality") // comparing two of the same content takes long
  public boolean isIn(ClusterTopology topology) {
    return this.topology == topology;
  }

  /** Returns the number of nodes; one that the tasks come back to counts again. */
  int size() {
    return nodes.length;
  }

  /** Returns the position in the topology of one of the nodes. */
  int node(int i) {
    return nodes[i];
  }

  /** Adds what is held on each node to the amounts of all nodes, or subtracts it. */
  void addTo(Amounts ofNodes, int sign) {
    for (int i = 0; i < nodes.length; i++) {
      ofNodes.add(nodes[i], held, i, sign);
    }
    if (shares.gpus.length > 0) {
      ofNodes.addShares(shares, sign, topology);
    }
  }

  /**
   * Adds the shares that are held on one of the nodes, in thousandths, to those of its GPUs, or
   * subtracts them.
   */
  void addShares(int node, int[] ofGpus, int sign) {
    int first = topology.gpusBefore(nodes[node]);
    for (int i = 0; i < shares.gpus.length; i++) {
      if (shares.nodes[i] == node) {
        ofGpus[shares.gpus[i] - first] += sign * shares.thousandths[i];
      }
    }
  }

  /** Adds the nodes to a set. */
  public void addTo(BitSet set) {
    for (int node : nodes) {
      set.set(node);
    }
  }

  /** Returns the GPUs that are held whole on one of the nodes. */
  int gpus(int i) {
    return held.gpus[i];
  }

  /** Returns the GPUs of which shares are held on one of the nodes; one counts for each share. */
  int shared(int i) {
    return held.shared[i];
  }

  /** Returns the CPU that is held on one of the nodes, in millicores. */
  long cpu(int i) {
    return held.cpu[i];
  }

  /** Returns the host memory that is held on one of the nodes, in bytes. */
  long memory(int i) {
    return held.memory[i];
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
