package io.github.liquidscheduler.placement.eviction;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.Memory;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/*
 * Idea: a search for victims adds and subtracts the same jobs many times, so that what a job holds
 * is read from its placement once, into four adjacent longs for each node; shares of GPUs, which
 * are rare, stand in arrays beside.
 * Invariants: immutable; held[i] are the amounts on nodes[i]; adding with sign 1 and -1 restores
 * all amounts exactly; positions are those of one topology object (isIn).
 * Cost: O(tasks) to make, O(nodes + shares held) to add or subtract, O(nodes of the cluster) memory
 * for Amounts of all nodes; in(topology) O(nodes) with O(1) for each node near its old position
 * (NodeSetLaws).
 */
/**
 * The nodes of a placement by their positions, and the amounts held on each. Adjacent tasks on one
 * node are counted together.
 */
public final class NodeSet {

  private static final int EVERYTHING = 1 << 30;

  private final ClusterTopology topology;
  private final int[] nodes;
  private final Amounts held;
  private final Shares shares;
  private final int thousandths;

  /**
   * Amounts of all nodes, or of those of a set in its order. The amounts of one node are adjacent,
   * since they are read together.
   */
  static final class Amounts {

    private static final int GPUS = 0;
    private static final int SHARES = 1;
    private static final int CPU = 2;
    private static final int MEMORY = 3;
    private static final int EACH = 4;

    // Of each node GPUs held whole, those shared (upper half) and their shares (lower), and so on.
    private final long[] amounts;

    /** The shares of each GPU of a cluster, in the order of its nodes; null before the first. */
    private int @Nullable [] shareOfGpu;

    Amounts(int size) {
      amounts = new long[EACH * size];
    }

    private int size() {
      return amounts.length / EACH;
    }

    /** Returns the GPUs that are held whole. */
    int gpus(int node) {
      return (int) amounts[EACH * node + GPUS];
    }

    /** Returns the GPUs of which shares are held; one counts for each share. */
    int shared(int node) {
      return (int) (amounts[EACH * node + SHARES] >> Integer.SIZE);
    }

    /** Returns the sum of these shares, in thousandths. */
    int share(int node) {
      return (int) amounts[EACH * node + SHARES];
    }

    /** Returns the CPU in millicores. */
    long cpu(int node) {
      return amounts[EACH * node + CPU];
    }

    /** Returns the host memory in bytes. */
    long memory(int node) {
      return amounts[EACH * node + MEMORY];
    }

    /** Forgets the amounts of some nodes. */
    void clear(BitSet nodes, ClusterTopology topology) {
      for (int node = nodes.nextSetBit(0); node >= 0; node = nodes.nextSetBit(node + 1)) {
        Arrays.fill(amounts, EACH * node, EACH * (node + 1), 0);
        if (shareOfGpu != null) {
          Arrays.fill(shareOfGpu, topology.gpusBefore(node), topology.gpusBefore(node + 1), 0);
        }
      }
    }

    /** Returns an independent copy. */
    Amounts copy() {
      Amounts copy = new Amounts(size());
      System.arraycopy(amounts, 0, copy.amounts, 0, amounts.length);
      copy.shareOfGpu = shareOfGpu == null ? null : shareOfGpu.clone();
      return copy;
    }

    /**
     * Returns these amounts in a topology with other node positions.
     *
     * @param before the old position of each node; -1 if it is new
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
      int first = EACH * node;
      if (thousandths < 1000) {
        amounts[first + SHARES] += ((long) count << Integer.SIZE) + (long) count * thousandths;
      } else {
        amounts[first + GPUS] += count;
      }
      amounts[first + CPU] += task.request().cpu().orElse(CpuCores.ZERO).millicores();
      amounts[first + MEMORY] += task.request().memory().orElse(Memory.ZERO).bytes();
    }

    private void add(int node, Amounts other, int otherNode, int sign) {
      int to = EACH * node;
      int from = EACH * otherNode;
      for (int i = 0; i < EACH; i++) {
        amounts[to + i] += sign * other.amounts[from + i];
      }
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

  /** The GPUs of a cluster of which shares are held, by nodes; one entry for each share. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Shares(int[] nodes, int[] gpus, int[] thousandths) {
    static final Shares NONE = new Shares(new int[0], new int[0], new int[0]);

    /** Returns these shares in a topology with other positions. */
    Shares in(NodeSet before, NodeSet now) {
      if (gpus.length == 0) {
        return NONE;
      }
      int[] moved = new int[gpus.length];
      for (int i = 0; i < moved.length; i++) {
        int first = before.topology.gpusBefore(before.nodes[nodes[i]]);
        moved[i] = gpus[i] - first + now.topology.gpusBefore(now.nodes[nodes[i]]);
      }
      return new Shares(nodes, moved, thousandths);
    }

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
    int sum = 0;
    for (TaskPlacement task : placement.tasks()) {
      if (!task.node().equals(last)) {
        last = task.node();
        nodes[size++] = topology.position(last);
      }
      held.add(size - 1, task);
      sum += task.gpus().size() * task.share().thousandths();
    }
    shares = Shares.of(placement, topology);
    thousandths = sum;
  }

  private NodeSet(ClusterTopology topology, int node) {
    this.topology = topology;
    nodes = new int[] {node};
    held = new Amounts(1);
    held.amounts[Amounts.GPUS] = EVERYTHING;
    held.amounts[Amounts.CPU] = EVERYTHING * (long) EVERYTHING;
    held.amounts[Amounts.MEMORY] = held.amounts[Amounts.CPU];
    shares = Shares.NONE;
    thousandths = EVERYTHING;
  }

  /** Returns the node at a position, with larger amounts than any node has. */
  public static NodeSet all(ClusterTopology topology, int node) {
    return new NodeSet(topology, node);
  }

  private NodeSet(NodeSet other, ClusterTopology topology) {
    this.topology = topology;
    nodes = new int[other.nodes.length];
    held = other.held;
    for (int i = 0; i < nodes.length; i++) {
      int now = position(other.topology, other.nodes[i], topology);
      nodes[i] = Objects.checkIndex(now, topology.nodes().size());
    }
    shares = other.shares.in(other, this);
    thousandths = other.thousandths;
  }

  /**
   * Returns the position of a node in another topology, tried next to its old one first; -1 if it
   * is gone.
   */
  @SuppressWarnings("ReferenceEquality") // looking it up by its id is always right
  static int position(ClusterTopology from, int before, ClusterTopology to) {
    Node node = from.nodes().get(before);
    int last = to.nodes().size() - 1;
    for (int at = Math.max(0, before - 1); at <= Math.min(last, before + 1); at++) {
      if (to.nodes().get(at) == node) {
        return at;
      }
    }
    return to.contains(node.id()) ? to.position(node.id()) : -1;
  }

  /** Returns the held GPUs and shares of GPUs, in thousandths of a GPU. */
  public int thousandths() {
    return thousandths;
  }

  /** Returns these nodes by their positions in another topology. */
  public NodeSet in(ClusterTopology topology) {
    return isIn(topology) ? this : new NodeSet(this, topology);
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

  /** Returns true if the positions are those of this very topology, not of an equal one. */
  @SuppressWarnings("ReferenceEquality") // comparing two of the same content takes long
  public boolean isIn(ClusterTopology topology) {
    return this.topology == topology;
  }

  /** Returns the GPUs that are held on all nodes, whole or in part; one counts for each share. */
  public long allGpus() {
    long sum = 0;
    for (int i = 0; i < nodes.length; i++) {
      sum += gpus(i) + shared(i);
    }
    return sum;
  }

  /** Returns the number of runs of tasks on one node; a node may count more than once. */
  int size() {
    return nodes.length;
  }

  /** Returns the position in the topology of one of the nodes. */
  int node(int i) {
    return nodes[i];
  }

  /** Adds the amounts held to those of all nodes, or subtracts them. */
  void addTo(Amounts ofNodes, int sign) {
    for (int i = 0; i < nodes.length; i++) {
      addTo(ofNodes, i, sign);
    }
    addSharesTo(ofNodes, sign);
  }

  /** Adds the amounts held on one of the nodes, without the shares of single GPUs. */
  void addTo(Amounts ofNodes, int i, int sign) {
    ofNodes.add(nodes[i], held, i, sign);
  }

  /** Adds the shares that are held of each GPU. */
  void addSharesTo(Amounts ofNodes, int sign) {
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
    return held.gpus(i);
  }

  /** Returns the GPUs of which shares are held on one of the nodes; one counts for each share. */
  int shared(int i) {
    return held.shared(i);
  }

  /** Returns the CPU that is held on one of the nodes, in millicores. */
  long cpu(int i) {
    return held.cpu(i);
  }

  /** Returns the host memory that is held on one of the nodes, in bytes. */
  long memory(int i) {
    return held.memory(i);
  }

  /** Returns true if the position of any node matches. */
  public boolean anyMatch(IntPredicate wanted) {
    for (int node : nodes) {
      if (wanted.test(node)) {
        return true;
      }
    }
    return false;
  }

  /** Returns true if any node is in the set. */
  public boolean touches(BitSet set) {
    for (int node : nodes) {
      if (set.get(node)) {
        return true;
      }
    }
    return false;
  }
}
