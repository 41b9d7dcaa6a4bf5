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
 * The copies on the disks of nodes, and the room that is kept for what is on its way. Where there
 * is no room, the copy that was used least recently and that nobody reads has to go. Mutable.
 */
final class NodeDisks {
  private final Map<NodeId, Disk> disks = new HashMap<>();
  private double lost;

  /** A copy on a node. */
  record Copy(Dataset dataset, NodeId node) {}

  /** What is known of a copy that is there. */
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
    long room;

    Disk(long room) {
      this.room = room;
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

  /** Keeps room for a copy that is on its way. */
  void keepRoom(Copy copy) {
    disk(copy).room -= bytes(copy);
    if (disk(copy).room < 0) {
      throw new IllegalStateException("the disk of node '" + copy.node() + "' is too small");
    }
  }

  /** Gives up the room for a copy that is no longer on its way. */
  void giveUpRoom(Copy copy) {
    disk(copy).room += bytes(copy);
  }

  /** Has the copy of a node go that was used the longest ago of those that nobody reads. */
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

  boolean hasRoom(Copy copy) {
    return disk(copy).room >= bytes(copy);
  }

  /** Adds a copy for which there is room. */
  void add(Copy copy, boolean isBrought) {
    keepRoom(copy);
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
    disk.room += held.dataset.size().bytes();
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

  /** Returns the bytes of copies that were brought beforehand and that nobody has read. */
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
