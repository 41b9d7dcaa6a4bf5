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
  private final Map<Kind, List<Integer>> nodesByKind = new LinkedHashMap<>();
  private final Map<Kind, Integer> maxGpus = new LinkedHashMap<>();
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

  /** Returns the pools in the order in which their kinds first appear. */
  List<GpuPool> pools() {
    List<GpuPool> pools = new ArrayList<>();
    nodesByKind.forEach((kind, nodes) -> pools.add(pool(kind, nodes)));
    return pools;
  }

  /** Returns the position in {@link #pools()} of each GPU, by its position in the cluster. */
  int[] poolOfGpu() {
    List<Kind> kinds = new ArrayList<>(nodesByKind.keySet());
    Map<Kind, Integer> positions = new LinkedHashMap<>();
    kinds.forEach(kind -> positions.put(kind, positions.size()));
    int[] pools = new int[topology.gpuCount()];
    int position = 0;
    for (Node node : topology.nodes()) {
      for (Gpu gpu : node.gpus()) {
        pools[position++] = positions.getOrDefault(Kind.of(gpu), -1);
      }
    }
    return pools;
  }

  private void add(int position, Node node) {
    Map<Kind, Integer> counts = new LinkedHashMap<>();
    node.gpus().forEach(gpu -> counts.merge(Kind.of(gpu), 1, Integer::sum));
    if (counts.isEmpty()) {
      counts.put(Kind.NONE, 0);
    }
    counts.forEach(
        (kind, count) -> {
          nodesByKind.computeIfAbsent(kind, key -> new ArrayList<>()).add(position);
          maxGpus.merge(kind, count, Math::max);
        });
  }

  private GpuPool pool(Kind kind, List<Integer> nodes) {
    int[] nodeOf = nodes.stream().mapToInt(Integer::intValue).toArray();
    int maxFree = maxGpus.getOrDefault(kind, 0);
    List<DomainLevel> levels =
        rangesByLevel.stream().map(ranges -> level(nodeOf, ranges, maxFree)).toList();
    return new GpuPool(kind.model(), kind.memory(), nodeOf, maxFree, levels);
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
  private record Kind(@Nullable GpuModel model, Memory memory) {
    static final Kind NONE = new Kind(null, Memory.ZERO);

    static Kind of(Gpu gpu) {
      return new Kind(gpu.model(), gpu.memory());
    }
  }
}
