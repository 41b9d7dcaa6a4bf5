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

/** Sorts the nodes of a topology into pools of equal GPUs, in one walk over the GPUs. */
final class PoolBuilder {

  private final Map<GpuType, Nodes> pools = new LinkedHashMap<>();
  private final int[] poolOfGpu;
  private final int[] groupOfGpu;
  private final List<List<NodeRange>> rangesByLevel;

  PoolBuilder(ClusterTopology topology) {
    poolOfGpu = new int[topology.gpuCount()];
    groupOfGpu = new int[poolOfGpu.length];
    rangesByLevel = rangesByLevel(topology);
    @Nullable Nodes last = null;
    int position = 0;
    for (int node = 0; node < topology.nodes().size(); node++) {
      List<Gpu> gpus = topology.nodes().get(node).gpus();
      for (Gpu gpu : gpus) {
        last = last != null && last.type.isOf(gpu) ? last : nodesOf(GpuType.of(gpu));
        last.addGpuOf(node);
        groupOfGpu[position] = gpu.nvlinkGroup();
        poolOfGpu[position++] = last.number;
      }
      if (gpus.isEmpty()) {
        nodesOf(GpuType.NONE).add(node);
      }
    }
  }

  private Nodes nodesOf(GpuType type) {
    return pools.computeIfAbsent(type, any -> new Nodes(type, pools.size()));
  }

  /** Returns the pools in the order in which their types first appear. */
  List<GpuPool> pools() {
    return pools.values().stream().map(this::pool).toList();
  }

  /** Returns the nodes of the domains of each level. */
  List<List<NodeRange>> rangesByLevel() {
    return rangesByLevel;
  }

  /** Returns the position in {@link #pools()} of each GPU, by its position in the cluster. */
  int[] poolOfGpu() {
    return poolOfGpu;
  }

  /** Returns the NVLink group of each GPU, by its position in the cluster. */
  int[] groupOfGpu() {
    return groupOfGpu;
  }

  private GpuPool pool(Nodes nodes) {
    int[] nodeOf = Arrays.copyOf(nodes.list, nodes.size);
    List<DomainLevel> levels =
        rangesByLevel.stream().map(ranges -> level(nodeOf, ranges, nodes.most)).toList();
    return new GpuPool(nodes.type.model(), nodes.type.memory(), nodeOf, nodes.most, levels);
  }

  /** Returns the nodes of the domains of each level, the cluster first; single nodes left out. */
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

  /** Returns one level of a pool with slots on these nodes, in which every domain is empty. */
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

    static GpuType of(Gpu gpu) {
      return new GpuType(gpu.model(), gpu.memory());
    }

    boolean isOf(Gpu gpu) {
      return gpu.memory().equals(memory) && gpu.model().equals(model);
    }
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

    void addGpuOf(int node) {
      if (size == 0 || list[size - 1] != node) {
        add(node);
      }
      most = Math.max(most, ++here);
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
