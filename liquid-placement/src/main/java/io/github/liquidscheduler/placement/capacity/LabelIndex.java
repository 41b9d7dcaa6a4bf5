package io.github.liquidscheduler.placement.capacity;

import io.github.liquidscheduler.cluster.Node;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that carry each label, by their positions. A label of many nodes is kept as a set, one
 * of few (a host name) as a list, so that all of it takes about four bytes for each label of each
 * node. Immutable.
 */
final class LabelIndex {

  /** From so many nodes of a label on, in parts of all nodes, a set is smaller than a list. */
  private static final int DENSE = 32;

  private final Map<Map.Entry<String, String>, Carriers> carriers = new LinkedHashMap<>();

  LabelIndex(List<Node> nodes) {
    Map<Map.Entry<String, String>, Growing> found = new LinkedHashMap<>();
    for (int node = 0; node < nodes.size(); node++) {
      for (Map.Entry<String, String> label : nodes.get(node).labels().entrySet()) {
        found
            .computeIfAbsent(Map.entry(label.getKey(), label.getValue()), any -> new Growing())
            .add(node);
      }
    }
    found.forEach((label, growing) -> carriers.put(label, growing.carriers(nodes.size())));
  }

  /**
   * Returns the nodes that carry all of these labels, of which there is at least one; not to be
   * changed. Constant for one label of many nodes, otherwise O(nodes of the rarest label).
   */
  BitSet nodesWith(Map<String, String> labels) {
    List<Carriers> all =
        labels.entrySet().stream()
            .map(label -> carriers.getOrDefault(label, Carriers.NONE))
            .sorted(Comparator.comparingInt(Carriers::size))
            .toList();
    Carriers rarest = all.getFirst();
    if (all.size() == 1 && rarest.set != null) {
      return rarest.set;
    }
    BitSet nodes = rarest.toSet();
    for (Carriers others : all.subList(1, all.size())) {
      others.retainIn(nodes);
    }
    return nodes;
  }

  /**
   * The nodes of one label.
   *
   * @param list their positions in ascending order; empty if there is a set
   * @param set the same as a set; null if they are few
   * @param size how many there are
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Carriers(int[] list, @Nullable BitSet set, int size) {
    static final Carriers NONE = new Carriers(new int[0], null, 0);

    /** Returns them as a set of its own. */
    BitSet toSet() {
      if (set != null) {
        return (BitSet) set.clone();
      }
      BitSet nodes = new BitSet();
      for (int node : list) {
        nodes.set(node);
      }
      return nodes;
    }

    /** Removes those that are not among these. */
    void retainIn(BitSet nodes) {
      if (set != null) {
        nodes.and(set);
        return;
      }
      for (int node = nodes.nextSetBit(0); node >= 0; node = nodes.nextSetBit(node + 1)) {
        if (Arrays.binarySearch(list, node) < 0) {
          nodes.clear(node);
        }
      }
    }
  }

  /** The nodes of one label while they are collected. */
  private static final class Growing {
    private int[] list = new int[1];
    private int size;

    void add(int node) {
      if (size == list.length) {
        list = Arrays.copyOf(list, 2 * size);
      }
      list[size++] = node;
    }

    Carriers carriers(int nodes) {
      Carriers few = new Carriers(Arrays.copyOf(list, size), null, size);
      boolean isDense = size > nodes / DENSE;
      return isDense ? new Carriers(new int[0], few.toSet(), size) : few;
    }
  }
}
