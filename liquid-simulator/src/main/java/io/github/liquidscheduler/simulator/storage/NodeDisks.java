package io.github.liquidscheduler.simulator.storage;

import com.google.common.collect.Table;
import com.google.common.collect.Tables;
import com.google.common.util.concurrent.AtomicLongMap;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.Dataset;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The copies on the disks of nodes, and the space reserved for transfers. If space is short, the
 * least recently used copy that no job reads is evicted. Mutable.
 */
final class NodeDisks {
  // The copies of each node in the order of their last use.
  private final Table<NodeId, String, Held> copies =
      Tables.newCustomTable(new HashMap<>(), LinkedHashMap::new);
  private final AtomicLongMap<NodeId> free = AtomicLongMap.create();
  private double lost;

  /** A copy on a node. */
  record Copy(Dataset dataset, NodeId node) {}

  private static final class Held {
    final Dataset dataset;
    final boolean isBrought;
    boolean isUsed;
    int readers;

    Held(Dataset dataset, boolean isBrought) {
      this.dataset = dataset;
      this.isBrought = isBrought;
    }
  }

  NodeDisks(ClusterTopology cluster) {
    for (Node node : cluster.nodes()) {
      free.put(node.id(), node.disk().bytes());
      node.datasets().forEach(dataset -> add(new Copy(dataset, node.id()), false));
    }
  }

  boolean isThere(Copy copy) {
    return copies.contains(copy.node(), copy.dataset().name());
  }

  /** Reserves space for a transfer. */
  void reserve(Copy copy) {
    if (free.addAndGet(copy.node(), -bytes(copy)) < 0) {
      throw new IllegalStateException("the disk of node '" + copy.node() + "' is too small");
    }
  }

  /** Releases the space of a transfer. */
  void unreserve(Copy copy) {
    free.addAndGet(copy.node(), bytes(copy));
  }

  /** Evicts the least recently used copy of a node that no job reads. */
  Optional<String> evictOldest(NodeId node) {
    Optional<String> oldest =
        copies.row(node).values().stream()
            .filter(held -> held.readers == 0)
            .findFirst()
            .map(held -> held.dataset.name());
    oldest.ifPresent(name -> evict(node, name));
    return oldest;
  }

  boolean fits(Copy copy) {
    return free.get(copy.node()) >= bytes(copy);
  }

  /** Adds a copy that fits. */
  void add(Copy copy, boolean isBrought) {
    reserve(copy);
    copies.put(copy.node(), copy.dataset().name(), new Held(copy.dataset(), isBrought));
  }

  void evict(NodeId node, String dataset) {
    @Nullable Held held = copies.remove(node, dataset);
    if (held == null || held.readers > 0) {
      throw new IllegalStateException(
          "only a copy that nobody reads can go, but was to: '%s' of node '%s'"
              .formatted(dataset, node));
    }
    lost += held.isBrought && !held.isUsed ? held.dataset.size().bytes() : 0;
    free.addAndGet(node, held.dataset.size().bytes());
  }

  /** Lets a job read a copy that is there. */
  void use(Copy copy) {
    @Nullable Held held = copies.remove(copy.node(), copy.dataset().name());
    if (held != null) {
      held.isUsed = true;
      held.readers++;
      copies.put(copy.node(), copy.dataset().name(), held);
    }
  }

  /** Lets a job that has read a copy end. */
  void leave(Copy copy) {
    @Nullable Held held = copies.get(copy.node(), copy.dataset().name());
    if (held != null) {
      held.readers--;
    }
  }

  /** Returns the bytes of prefetched copies that no job has read. */
  double wasted() {
    double wasted = lost;
    for (Held held : copies.values()) {
      wasted += held.isBrought && !held.isUsed ? held.dataset.size().bytes() : 0;
    }
    return wasted;
  }

  private static long bytes(Copy copy) {
    return copy.dataset().size().bytes();
  }
}
