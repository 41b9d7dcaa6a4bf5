package io.github.liquidscheduler.placement.capacity;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that carry each label: a bitmap for a label of many nodes, a list for one of few (a
 * host name). It takes about four bytes for each label of each node, and a node added or removed
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

  LabelIndex(ClusterTopology topology) {
    this.topology = topology;
    rare = new LinkedHashMap<>();
    for (Node node : topology.nodes()) {
      for (Map.Entry<String, String> label : node.labels().entrySet()) {
        rare.computeIfAbsent(keyOf(label), any -> new ArrayList<>(1)).add(node.id());
      }
    }
    rare.forEach(
        (label, nodes) -> {
          if (nodes.size() > topology.nodes().size() / DENSE) {
            common.put(label, toSet(nodes));
          }
        });
    common.keySet().forEach(rare::remove);
  }

  /** Makes the index of a cluster with one node more or less. */
  LabelIndex(LabelIndex before, ClusterTopology topology, Node node, Splice splice) {
    this.topology = topology;
    before.common.forEach((label, nodes) -> common.put(label, splice.of(nodes)));
    List<Map.Entry<String, String>> labels =
        node.labels().entrySet().stream().map(LabelIndex::keyOf).toList();
    rare = common.keySet().containsAll(labels) ? before.rare : new LinkedHashMap<>(before.rare);
    labels.forEach(label -> change(label, node, splice));
  }

  private void change(Map.Entry<String, String> label, Node node, Splice splice) {
    @Nullable BitSet many = common.get(label);
    if (many != null) {
      many.set(splice.at(), splice.at() + splice.added());
      return;
    }
    List<NodeId> few = new ArrayList<>(rare.getOrDefault(label, List.of()));
    if (splice.added() > 0) {
      few.add(node.id());
    } else {
      few.remove(node.id());
    }
    rare.put(label, few);
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
