package io.github.liquidscheduler.placement.capacity;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that carry each label: a bitmap for a label of many nodes, a list for one of few (a
 * host name). It takes about four bytes for each label of each node, and a node that comes or goes
 * changes only its own lists. Immutable.
 */
final class LabelIndex {

  /**
   * A label carried by more than one node in {@value} is kept as a bitmap, which is then smaller.
   */
  private static final int DENSE = 32;

  private final ClusterTopology topology;
  private final Map<Map.Entry<String, String>, BitSet> common = new LinkedHashMap<>();
  private final Map<Map.Entry<String, String>, List<NodeId>> rare;

  private LabelIndex(ClusterTopology topology, Map<Map.Entry<String, String>, List<NodeId>> rare) {
    this.topology = topology;
    this.rare = rare;
  }

  /** Returns the index of a cluster. */
  static LabelIndex of(ClusterTopology topology) {
    LabelIndex index = new LabelIndex(topology, new LinkedHashMap<>());
    for (Node node : topology.nodes()) {
      for (Map.Entry<String, String> label : node.labels().entrySet()) {
        index.rare.computeIfAbsent(keyOf(label), any -> new ArrayList<>(1)).add(node.id());
      }
    }
    index.rare.forEach(
        (label, nodes) -> {
          if (nodes.size() > topology.nodes().size() / DENSE) {
            index.common.put(label, index.toSet(nodes));
          }
        });
    index.common.keySet().forEach(index.rare::remove);
    return index;
  }

  /**
   * Returns the index of a changed cluster.
   *
   * @param before the position of each of its nodes here; -1 if it comes
   * @param leaving the positions of the nodes that go
   */
  LabelIndex in(ClusterTopology changed, int[] before, IntStream leaving) {
    LabelIndex moved = new LabelIndex(changed, new LinkedHashMap<>(rare));
    common.forEach((label, nodes) -> moved.common.put(label, moved(nodes, before)));
    for (int node = 0; node < before.length; node++) {
      if (before[node] < 0) {
        moved.enter(changed.nodes().get(node), node);
      }
    }
    leaving.mapToObj(topology.nodes()::get).forEach(moved::leave);
    return moved;
  }

  private static BitSet moved(BitSet nodes, int[] before) {
    BitSet moved = new BitSet(before.length);
    for (int node = 0; node < before.length; node++) {
      moved.set(node, before[node] >= 0 && nodes.get(before[node]));
    }
    return moved;
  }

  private void enter(Node node, int position) {
    for (Map.Entry<String, String> label : node.labels().entrySet()) {
      @Nullable BitSet many = common.get(keyOf(label));
      if (many == null) {
        List<NodeId> few = new ArrayList<>(rare.getOrDefault(keyOf(label), List.of()));
        few.add(node.id());
        rare.put(keyOf(label), few);
      } else {
        many.set(position);
      }
    }
  }

  private void leave(Node node) {
    for (Map.Entry<String, String> label : node.labels().entrySet()) {
      rare.computeIfPresent(
          keyOf(label),
          (any, nodes) -> nodes.stream().filter(other -> !other.equals(node.id())).toList());
    }
  }

  private static Map.Entry<String, String> keyOf(Map.Entry<String, String> label) {
    return Map.entry(label.getKey(), label.getValue());
  }

  /**
   * Returns the nodes that carry all of these labels, of which there is at least one; not to be
   * changed. Constant for one label of many nodes, otherwise O(nodes / 64) for each.
   */
  BitSet nodesWith(Map<String, String> labels) {
    List<BitSet> all = labels.entrySet().stream().map(this::nodesWith).toList();
    if (all.size() == 1) {
      return all.getFirst();
    }
    BitSet nodes = (BitSet) all.getFirst().clone();
    all.subList(1, all.size()).forEach(nodes::and);
    return nodes;
  }

  private BitSet nodesWith(Map.Entry<String, String> label) {
    @Nullable BitSet many = common.get(keyOf(label));
    return many == null ? toSet(rare.getOrDefault(keyOf(label), List.of())) : many;
  }

  private BitSet toSet(List<NodeId> nodes) {
    BitSet set = new BitSet(topology.nodes().size());
    nodes.forEach(node -> set.set(topology.position(node)));
    return set;
  }
}
