package io.github.liquidscheduler.simulator.storage;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.Dataset;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The copies on the disks of nodes, and the space reserved for transfers. If space is short, the
 * least recently used copy that no job reads is evicted. Mutable.
 */
final class NodeDisks {
  private final Map<NodeId, Disk> disks = new HashMap<>();
  private double lost;

  /** A copy on a node. */
  record Copy(Dataset dataset, NodeId node) {}

  /** A copy on a disk. */
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

  /** The disk of a node; its copies in the order of their last use. */
  private static final class Disk {
    final Map<String, Held> copies = new LinkedHashMap<>();
    long free;

    Disk(long free) {
      this.free = free;
    }
  }

  NodeDisks(ClusterTopology cluster) {
    for (Node node : cluster.nodes()) {
      disks.put(node.id(), new Disk(node.disk().bytes()));
      node.datasets().forEach(dataset -> add(new Copy(dataset, node.id()), false));
    }
  }

  boolean isThere(Copy copy) {
    return disk(copy).copies.containsKey(copy.dataset().name());
  }

  /** Reserves space for a transfer. */
  void reserve(Copy copy) {
    disk(copy).free -= bytes(copy);
    if (disk(copy).free < 0) {
      throw new IllegalStateException("the disk of node '" + copy.node() + "' is too small");
    }
  }

  /** Releases the space of a transfer. */
  void unreserve(Copy copy) {
    disk(copy).free += bytes(copy);
  }

  /** Evicts the least recently used copy of a node that no job reads. */
  Optional<String> evictOldest(NodeId node) {
    Disk disk = disks.computeIfAbsent(node, any -> new Disk(0));
    Optional<String> oldest =
        disk.copies.values().stream()
            .filter(held -> held.readers == 0)
            .findFirst()
            .map(held -> held.dataset.name());
    oldest.ifPresent(name -> evict(node, name));
    return oldest;
  }

  boolean fits(Copy copy) {
    return disk(copy).free >= bytes(copy);
  }

  /** Adds a copy that fits. */
  void add(Copy copy, boolean isBrought) {
    reserve(copy);
    disk(copy).copies.put(copy.dataset().name(), new Held(copy.dataset(), isBrought));
  }

  void evict(NodeId node, String dataset) {
    Disk disk = disks.getOrDefault(node, new Disk(0));
    @Nullable Held held = disk.copies.remove(dataset);
    if (held == null || held.readers > 0) {
      throw new IllegalStateException(
          "only a copy that nobody reads can go, but was to: '%s' of node '%s'"
              .formatted(dataset, node));
    }
    lost += held.isBrought && !held.isUsed ? held.dataset.size().bytes() : 0;
    disk.free += held.dataset.size().bytes();
  }

  /** Lets a job read a copy that is there. */
  void use(Copy copy) {
    @Nullable Held held = disk(copy).copies.remove(copy.dataset().name());
    if (held != null) {
      held.isUsed = true;
      held.readers++;
      disk(copy).copies.put(copy.dataset().name(), held);
    }
  }

  /** Lets a job that has read a copy end. */
  void leave(Copy copy) {
    @Nullable Held held = disk(copy).copies.get(copy.dataset().name());
    if (held != null) {
      held.readers--;
    }
  }

  /** Returns the bytes of prefetched copies that no job has read. */
  double wasted() {
    double wasted = lost;
    for (Disk disk : disks.values()) {
      for (Held held : disk.copies.values()) {
        wasted += held.isBrought && !held.isUsed ? held.dataset.size().bytes() : 0;
      }
    }
    return wasted;
  }

  private Disk disk(Copy copy) {
    return disks.computeIfAbsent(copy.node(), each -> new Disk(0));
  }

  private static long bytes(Copy copy) {
    return copy.dataset().size().bytes();
  }
}
