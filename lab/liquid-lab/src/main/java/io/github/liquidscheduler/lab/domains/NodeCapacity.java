package io.github.liquidscheduler.lab.domains;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The free amounts of a node, and its place in the topology.
 *
 * @param path the domain of each level that it lies in, the widest first
 * @param free amounts by resource, in the smallest units that are counted; nothing of a resource
 *     that is missing
 */
public record NodeCapacity(List<String> path, Map<String, Long> free) {

  /** Copies the lists. */
  public NodeCapacity {
    path = List.copyOf(path);
    free = Collections.unmodifiableMap(new TreeMap<>(free));
  }

  /** Returns this node with {@code count} times {@code amounts} less; some may become negative. */
  public NodeCapacity without(int count, Map<String, Long> amounts) {
    Map<String, Long> left = new TreeMap<>(free);
    amounts.forEach((resource, amount) -> left.merge(resource, -count * amount, Long::sum));
    return new NodeCapacity(path, left);
  }

  /** Returns the number of times that {@code amounts} fit, cut at {@code atMost}. */
  int fits(Map<String, Long> amounts, int atMost) {
    long fits = atMost;
    for (Map.Entry<String, Long> amount : amounts.entrySet()) {
      if (amount.getValue() > 0) {
        long there = Math.max(0, free.getOrDefault(amount.getKey(), 0L));
        fits = Math.min(fits, there / amount.getValue());
      }
    }
    return (int) fits;
  }
}
