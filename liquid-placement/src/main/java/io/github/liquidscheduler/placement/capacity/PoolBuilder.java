package io.github.liquidscheduler.placement.capacity;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Domain;
import io.github.liquidscheduler.cluster.Gpu;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeRange;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Sorts the nodes of a topology into pools of equal GPUs. */
final class PoolBuilder {

  private final ClusterTopology topology;
  private final Map<GpuType, List<Integer>> nodesByType = new LinkedHashMap<>();
  private final Map<GpuType, Integer> maxGpus = new LinkedHashMap<>();
  private final List<List<NodeRange>> rangesByLevel = new ArrayList<>();

  PoolBuilder(ClusterTopology topology) {
    this.topology = topology;
    rangesByLevel.add(List.of(new NodeRange(0, topology.nodes().size())));
    List<String> names = topology.levels();
    names.subList(1, names.size() - 1).forEach(name -> rangesByLevel.add(rangesOf(name)));
    for (int node = 0; node < topology.nodes().size(); node++) {
      add(node, topology.nodes().get(node));
    }
  }

  /** Returns the pools in the order in which their types first appear. */
  List<GpuPool> pools() {
    List<GpuPool> pools = new ArrayList<>();
    nodesByType.forEach((type, nodes) -> pools.add(pool(type, nodes)));
    return pools;
  }

  /** Returns the position in {@link #pools()} of each GPU, by its position in the cluster. */
  int[] poolOfGpu() {
    List<GpuType> types = new ArrayList<>(nodesByType.keySet());
    Map<GpuType, Integer> positions = new LinkedHashMap<>();
    types.forEach(type -> positions.put(type, positions.size()));
    int[] pools = new int[topology.gpuCount()];
    int position = 0;
    for (Node node : topology.nodes()) {
      for (Gpu gpu : node.gpus()) {
        pools[position++] = positions.getOrDefault(GpuType.of(gpu), -1);
      }
    }
    return pools;
  }

  private void add(int position, Node node) {
    Map<GpuType, Integer> counts = new LinkedHashMap<>();
    node.gpus().forEach(gpu -> counts.merge(GpuType.of(gpu), 1, Integer::sum));
    if (counts.isEmpty()) {
      counts.put(GpuType.NONE, 0);
    }
    counts.forEach(
        (type, count) -> {
          nodesByType.computeIfAbsent(type, key -> new ArrayList<>()).add(position);
          maxGpus.merge(type, count, Math::max);
        });
  }

  private GpuPool pool(GpuType type, List<Integer> nodes) {
    int[] nodeOf = nodes.stream().mapToInt(Integer::intValue).toArray();
    int maxFree = maxGpus.getOrDefault(type, 0);
    List<DomainLevel> levels =
        rangesByLevel.stream().map(ranges -> level(nodeOf, ranges, maxFree)).toList();
    return new GpuPool(type.model(), type.memory(), nodeOf, maxFree, levels);
  }

  /** Returns the nodes of the domains of each level, the cluster first; single nodes left out. */
  List<List<NodeRange>> rangesByLevel() {
    return rangesByLevel;
  }

  private List<NodeRange> rangesOf(String level) {
    return topology.domains().stream()
        .filter(domain -> domain.level().equals(level))
        .map(Domain::id)
        .map(topology::nodesOf)
        .toList();
  }

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

  /** What makes GPUs interchangeable. */
  private record GpuType(@Nullable GpuModel model, Memory memory) {
    static final GpuType NONE = new GpuType(null, Memory.ZERO);

    static GpuType of(Gpu gpu) {
      return new GpuType(gpu.model(), gpu.memory());
    }
  }
}
