package io.github.liquidscheduler.planner.problem;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.DomainId;
import io.github.liquidscheduler.cluster.Gpu;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import io.github.liquidscheduler.placement.network.TaskCounts;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A cluster in arrays: what a node has of one GPU pool is a <em>slot</em>. Slots stand in the order
 * of the nodes, so that the slots of a domain are adjacent; a node with GPUs of two pools has two.
 * A <em>rack</em> is a narrowest domain, or a node outside of all; without any domain the whole
 * cluster is one.
 *
 * <p>The arrays are shared with the hot loops of the search and never changed after construction.
 */
public final class SlotTable {

  /** The nodes and domains of the cluster. */
  public final ClusterTopology topology;

  /** The GPU pools of the cluster; the arrays name a pool by its position here. */
  final List<GpuPool> pools;

  /** The number of slots. */
  public final int slots;

  /** The number of racks; 0 only if there are no nodes. */
  public final int racks;

  /** The position of the node of each slot in the topology, ascending. */
  public final int[] node;

  /** The position of the pool of each slot, ascending within a node. */
  public final int[] pool;

  /** The number of the rack of each slot, from 0, ascending. */
  public final int[] rack;

  /** The first slot of each rack; one more entry for the end. */
  public final int[] firstSlot;

  /** The first slot of each node; one more entry for the end. */
  public final int[] firstOfNode;

  /** The free GPUs of each slot at construction; 0 if its node is not up. */
  public final int[] free;

  /** All GPUs of each slot, free or not. */
  public final int[] capacity;

  /** Whether the node of each slot is up. */
  public final boolean[] isUp;

  /** The free CPU of each node at construction, in millicores. */
  public final long[] freeCpu;

  /** The free host memory of each node at construction, in bytes. */
  final long[] freeMemory;

  /** The largest number of free GPUs on one slot at construction; 0 if there is none. */
  public final int largestSlot;

  /** For each node the number of its NVLink: nodes whose GPUs are joined alike have the same. */
  final int[] nvlinkOfNode;

  /** How many such numbers there are. */
  final int nvlinks;

  private final int[][] widestWithin;

  SlotTable(CapacityIndex index) {
    topology = index.topology();
    pools = index.pools();
    int[][] order = order(pools);
    slots = order.length;
    node = column(order, 0);
    pool = column(order, 1);
    free = new int[slots];
    capacity = new int[slots];
    isUp = new boolean[slots];
    for (int slot = 0; slot < slots; slot++) {
      int inPool = order[slot][2];
      boolean up = index.health(node[slot]) == NodeHealth.UP;
      isUp[slot] = up;
      free[slot] = up ? Math.max(0, pools.get(pool[slot]).free(inPool)) : 0;
      capacity[slot] = gpusOf(index, pools.get(pool[slot]), node[slot]);
    }
    int nodes = topology.nodes().size();
    freeCpu = IntStream.range(0, nodes).mapToLong(index::freeCpu).toArray();
    freeMemory = IntStream.range(0, nodes).mapToLong(index::freeMemory).toArray();
    firstOfNode = firsts(node, nodes);
    int[] rackOfNode = racksOfNodes();
    rack = IntStream.range(0, slots).map(slot -> rackOfNode[node[slot]]).toArray();
    racks = nodes == 0 ? 0 : rackOfNode[nodes - 1] + 1;
    firstSlot = firsts(rack, racks);
    largestSlot = Arrays.stream(free).max().orElse(0);
    widestWithin = new int[topology.levels().size()][];
    nvlinkOfNode = nvlinks(topology.nodes());
    nvlinks = Arrays.stream(nvlinkOfNode).max().orElse(0) + 1;
  }

  private static int[] nvlinks(List<Node> nodes) {
    Map<List<Object>, Integer> numbers = new LinkedHashMap<>();
    return nodes.stream()
        .map(
            node ->
                List.<Object>of(node.nvlink(), node.gpus().stream().map(Gpu::nvlinkGroup).toList()))
        .mapToInt(nvlink -> numbers.computeIfAbsent(nvlink, any -> numbers.size()))
        .toArray();
  }

  /**
   * Returns the slots of the widest domain around the slot that is of the level or of a narrower
   * one; those of its node if there is none.
   */
  int domainStart(int level, int slot) {
    return bounds(level)[2 * slot];
  }

  /** Returns the end of the domain that {@link #domainStart} begins. */
  public int domainEnd(int level, int slot) {
    return bounds(level)[2 * slot + 1];
  }

  /** Adds the tasks of a candidate, by node and role, to counts. */
  public void count(int[] slots, int[] byRole, int size, TaskCounts counts) {
    int roles = counts.roles();
    for (int i = 0; i < size * roles; i++) {
      if (byRole[i] > 0) {
        counts.add(node[slots[i / roles]], i % roles, byRole[i]);
      }
    }
  }

  private int[] bounds(int level) {
    int[] found = widestWithin[level];
    if (found == null) {
      found = findBounds(level);
      widestWithin[level] = found;
    }
    return found;
  }

  private int[] findBounds(int level) {
    int[] found = new int[2 * slots];
    for (int slot = 0; slot < slots; slot++) {
      NodeRange range =
          level == 0
              ? new NodeRange(0, topology.nodes().size())
              : widest(topology.nodes().get(node[slot]), level)
                  .map(topology::nodesOf)
                  .orElse(new NodeRange(node[slot], node[slot] + 1));
      found[2 * slot] = firstOfNode[range.first()];
      found[2 * slot + 1] = firstOfNode[range.end()];
    }
    return found;
  }

  private Optional<DomainId> widest(Node node, int level) {
    Optional<DomainId> best = Optional.empty();
    Optional<Domain> at = node.domain().map(topology::domain);
    while (at.isPresent() && topology.levels().indexOf(at.get().level()) >= level) {
      best = Optional.of(at.get().id());
      at = at.get().parent().map(topology::domain);
    }
    return best;
  }

  private int[] racksOfNodes() {
    int[] racksOfNodes = new int[topology.nodes().size()];
    if (topology.domains().isEmpty()) {
      return racksOfNodes;
    }
    int next = -1;
    Optional<DomainId> last = Optional.empty();
    for (int position = 0; position < racksOfNodes.length; position++) {
      Optional<DomainId> domain = topology.nodes().get(position).domain();
      next += domain.isPresent() && domain.equals(last) ? 0 : 1;
      racksOfNodes[position] = next;
      last = domain;
    }
    return racksOfNodes;
  }

  private static int gpusOf(CapacityIndex index, GpuPool pool, int node) {
    int count = 0;
    for (int gpu = 0; gpu < index.gpus(node); gpu++) {
      count += index.isOf(pool, node, gpu) ? 1 : 0;
    }
    return count;
  }

  /** Returns node, pool and position in the pool of each slot, by node. */
  private static int[][] order(List<GpuPool> pools) {
    return IntStream.range(0, pools.size())
        .boxed()
        .flatMap(
            pool ->
                IntStream.range(0, pools.get(pool).size())
                    .mapToObj(slot -> new int[] {pools.get(pool).nodeOf(slot), pool, slot}))
        .sorted(Comparator.<int[]>comparingInt(s -> s[0]).thenComparingInt(s -> s[1]))
        .toArray(int[][]::new);
  }

  private static int[] column(int[][] rows, int column) {
    return Arrays.stream(rows).mapToInt(row -> row[column]).toArray();
  }

  /** Returns the first index of each value in an ascending array, and its length at the end. */
  private static int[] firsts(int[] ascending, int values) {
    int[] first = new int[values + 1];
    int at = 0;
    for (int value = 0; value <= values; value++) {
      while (at < ascending.length && ascending[at] < value) {
        at++;
      }
      first[value] = at;
    }
    return first;
  }
}
