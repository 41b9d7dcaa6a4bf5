package io.github.liquidscheduler.placement.capacity;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Gpu;
import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sorts the nodes of a topology into pools of equal GPUs, in one walk over the GPUs. Those of nodes
 * that were sorted before are not looked at again.
 */
final class PoolBuilder {

  /** The nodes and domains of the cluster. */
  final ClusterTopology topology;

  /** The position in {@link #pools()} of each GPU, by its position in the cluster. */
  final int[] poolOfGpu;

  /** The NVLink group of each GPU, by its position in the cluster. */
  final int[] groupOfGpu;

  /** The nodes of the domains of each level, the cluster first; single nodes left out. */
  final List<List<NodeRange>> rangesByLevel;

  private final Map<GpuType, Nodes> pools = new LinkedHashMap<>();

  /**
   * Sorts the nodes of a topology of which parts are known.
   *
   * @param known what was sorted before; null if nothing
   * @param before the position there of each node, which is the same; -1 if it is new
   */
  PoolBuilder(ClusterTopology topology, @Nullable PoolBuilder known, int[] before) {
    this.topology = topology;
    poolOfGpu = new int[topology.gpuCount()];
    groupOfGpu = new int[poolOfGpu.length];
    rangesByLevel = rangesByLevel(topology);
    @Nullable Nodes[] now = new Nodes[known == null ? 0 : known.pools.size()];
    for (int node = 0; node < topology.nodes().size(); node++) {
      if (topology.gpusBefore(node) == topology.gpusBefore(node + 1)) {
        nodesOf(GpuType.NONE).add(node);
      } else if (known != null && before[node] >= 0) {
        takeOver(node, known, before[node], now);
      } else {
        sort(node);
      }
    }
  }

  private void sort(int node) {
    int position = topology.gpusBefore(node);
    for (Gpu gpu : topology.nodes().get(node).gpus()) {
      groupOfGpu[position] = gpu.nvlinkGroup();
      poolOfGpu[position++] = nodesOf(gpu).addGpuOf(node);
    }
  }

  /** Sorts a node by what is known of it; {@code now} holds the pools here of those there. */
  private void takeOver(int node, PoolBuilder known, int before, @Nullable Nodes[] now) {
    int first = topology.gpusBefore(node);
    int there = known.topology.gpusBefore(before) - first;
    for (int gpu = first; gpu < topology.gpusBefore(node + 1); gpu++) {
      int pool = known.poolOfGpu[there + gpu];
      @Nullable Nodes nodes = now[pool];
      nodes = nodes == null ? nodesOf(topology.nodes().get(node).gpus().get(gpu - first)) : nodes;
      now[pool] = nodes;
      groupOfGpu[gpu] = known.groupOfGpu[there + gpu];
      poolOfGpu[gpu] = nodes.addGpuOf(node);
    }
  }

  private Nodes nodesOf(Gpu gpu) {
    return nodesOf(new GpuType(gpu.model(), gpu.memory()));
  }

  private Nodes nodesOf(GpuType type) {
    return pools.computeIfAbsent(type, any -> new Nodes(type, pools.size()));
  }

  /** Makes the pools, in which no node is up, in the order in which their types first appear. */
  List<GpuPool> pools() {
    return pools.values().stream().map(this::pool).toList();
  }

  /** Returns the nodes of each pool, ascending; not to be changed. */
  List<int[]> nodesOfPools() {
    return pools.values().stream().map(Nodes::positions).toList();
  }

  private GpuPool pool(Nodes nodes) {
    int[] nodeOf = nodes.positions();
    List<DomainLevel> levels =
        rangesByLevel.stream().map(ranges -> level(nodeOf, ranges, nodes.most)).toList();
    return new GpuPool(nodes.type.model(), nodes.type.memory(), nodeOf, nodes.most, levels);
  }

  private static List<List<NodeRange>> rangesByLevel(ClusterTopology topology) {
    List<List<NodeRange>> ranges = new ArrayList<>();
    ranges.add(List.of(new NodeRange(0, topology.nodes().size())));
    List<String> names = topology.levels();
    names.subList(1, names.size() - 1).forEach(name -> ranges.add(rangesOf(name, topology)));
    return ranges;
  }

  private static List<NodeRange> rangesOf(String level, ClusterTopology topology) {
    return topology.domains().stream()
        .filter(domain -> domain.level().equals(level))
        .map(Domain::id)
        .map(topology::nodesOf)
        .toList();
  }

  /** Returns one level of a pool with slots on these nodes, not summed up. */
  private static DomainLevel level(int[] nodeOf, List<NodeRange> ranges, int maxFree) {
    int[] domainOf = new int[nodeOf.length];
    Arrays.fill(domainOf, -1);
    List<int[]> spans = new ArrayList<>();
    List<NodeRange> nodes = new ArrayList<>();
    for (NodeRange range : ranges) {
      int first = lowerBound(nodeOf, range.first());
      int end = lowerBound(nodeOf, range.end());
      if (first < end) {
        Arrays.fill(domainOf, first, end, spans.size());
        spans.add(new int[] {first, end});
        nodes.add(range);
      }
    }
    int[] first = spans.stream().mapToInt(span -> span[0]).toArray();
    int[] end = spans.stream().mapToInt(span -> span[1]).toArray();
    return new DomainLevel(domainOf, first, end, List.copyOf(nodes), maxFree);
  }

  private static int lowerBound(int[] nodeOf, int node) {
    int slot = Arrays.binarySearch(nodeOf, node);
    return slot >= 0 ? slot : -slot - 1;
  }

  /** The properties that interchangeable GPUs share. */
  private record GpuType(@Nullable GpuModel model, Memory memory) {
    static final GpuType NONE = new GpuType(null, Memory.ZERO);
  }

  /** The nodes of a pool, ascending, while they are collected. */
  private static final class Nodes {
    private final GpuType type;
    private final int number;
    private int[] list = new int[16];
    private int size;
    private int here;
    private int most;

    Nodes(GpuType type, int number) {
      this.type = type;
      this.number = number;
    }

    /** Adds a GPU, and returns the position of the pool. */
    int addGpuOf(int node) {
      if (size == 0 || list[size - 1] != node) {
        add(node);
      }
      most = Math.max(most, ++here);
      return number;
    }

    int[] positions() {
      list = Arrays.copyOf(list, size);
      return list;
    }

    void add(int node) {
      if (size == list.length) {
        list = Arrays.copyOf(list, 2 * size);
      }
      list[size++] = node;
      here = 0;
    }
  }
}
