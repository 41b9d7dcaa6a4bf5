package io.github.liquidscheduler.cluster;

import io.github.liquidscheduler.resource.GpuModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One node that comes to a topology or leaves it, while its domains stay: what is stored by
 * position moves by one, all else stays.
 *
 * @param position where it stands
 * @param sign 1 if it comes, -1 if it leaves
 */
record NodeChange(Node node, int position, int sign) {

  List<Node> nodes(List<Node> before) {
    List<Node> nodes = new ArrayList<>(before.size() + 1);
    nodes.addAll(before);
    if (sign > 0) {
      nodes.add(position, node);
    } else {
      nodes.remove(position);
    }
    return Collections.unmodifiableList(nodes);
  }

  /** Returns the first GPUs of all nodes, and of the end. */
  int[] firstGpus(int[] before) {
    int[] first = new int[before.length + sign];
    System.arraycopy(before, 0, first, 0, Math.min(position + 1, first.length));
    int from = position + Math.max(sign, 0);
    System.arraycopy(before, from - sign, first, from, first.length - from);
    int gpus = sign * node.gpus().size();
    for (int moved = from; moved < first.length; moved++) {
      first[moved] += gpus;
    }
    return first;
  }

  Map<GpuModel, Integer> gpusByModel(Map<GpuModel, Integer> before) {
    Map<GpuModel, Integer> gpus = new TreeMap<>(before);
    for (Gpu gpu : node.gpus()) {
      gpus.merge(gpu.model(), sign, Integer::sum);
      gpus.remove(gpu.model(), 0);
    }
    return gpus;
  }

  /**
   * Returns the nodes of all domains. Those that stand behind the node's own domain, in the order
   * of a walk, begin one later or earlier; it and those around it end so.
   */
  List<NodeRange> ranges(ClusterTopology before, List<NodeRange> ranges) {
    NodeRange[] moved = ranges.toArray(NodeRange[]::new);
    int own = node.domain().map(before::domainPosition).orElse(-1);
    for (int domain = own + 1; domain < moved.length; domain++) {
      moved[domain] = new NodeRange(moved[domain].first() + sign, moved[domain].end() + sign);
    }
    for (Optional<DomainId> at = node.domain(); at.isPresent(); ) {
      int domain = before.domainPosition(at.get());
      moved[domain] = new NodeRange(moved[domain].first(), moved[domain].end() + sign);
      at = before.domains().get(domain).parent();
    }
    return Collections.unmodifiableList(Arrays.asList(moved));
  }
}
