package io.github.liquidscheduler.simulator.published;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.prefetch.DataCopy;
import io.github.liquidscheduler.scheduler.prefetch.DataLocality;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The copies on the disks of nodes. Where there is no room, the copy that was used least recently
 * and that nobody reads has to go. Mutable.
 */
final class NodeCaches {
  private final long capacity;
  private final ClusterTopology cluster;

  /** The copies in the order of their last use. */
  private final Map<DataCopy, Copy> copies = new LinkedHashMap<>();

  private double wasted;

  /** What is known of a copy. */
  private static final class Copy {
    private final boolean isPrefetched;
    private boolean isUsed;
    private int readers;

    Copy(boolean isPrefetched) {
      this.isPrefetched = isPrefetched;
    }
  }

  NodeCaches(ClusterTopology cluster, Memory capacity) {
    this.cluster = cluster;
    this.capacity = capacity.bytes();
  }

  boolean isThere(DataCopy copy) {
    return copies.containsKey(copy);
  }

  /** Adds a copy, for which others go. */
  void add(DataCopy copy, boolean isPrefetched) {
    if (isThere(copy)) {
      return;
    }
    evictFor(copy);
    copies.put(copy, new Copy(isPrefetched));
  }

  private void evictFor(DataCopy copy) {
    long over = held(copy.node(), false) + bytes(copy) - capacity;
    List<DataCopy> candidates = new ArrayList<>(copies.keySet());
    for (DataCopy candidate : candidates) {
      Copy known = copies.get(candidate);
      if (over > 0 && known != null && candidate.node().equals(copy.node()) && known.readers == 0) {
        over -= bytes(candidate);
        wasted += known.isPrefetched && !known.isUsed ? bytes(candidate) : 0;
        copies.remove(candidate);
      }
    }
  }

  /** Lets a job read a copy that is there. */
  void use(DataCopy copy) {
    Copy known = copies.remove(copy);
    if (known != null) {
      known.isUsed = true;
      known.readers++;
      copies.put(copy, known);
    }
  }

  /** Lets a job that has read a copy end. */
  void leave(DataCopy copy) {
    Copy known = copies.get(copy);
    if (known != null) {
      known.readers--;
    }
  }

  /** Returns the bytes of copies that were brought beforehand and that nobody has used. */
  double wasted() {
    return wasted
        + copies.entrySet().stream()
            .filter(entry -> entry.getValue().isPrefetched && !entry.getValue().isUsed)
            .mapToDouble(entry -> bytes(entry.getKey()))
            .sum();
  }

  /** Returns what is where, and the room that nobody reads in. */
  DataLocality locality() {
    DataLocality.Builder locality = DataLocality.builder();
    copies.keySet().forEach(locality::copy);
    for (Node node : cluster.nodes()) {
      long room = Math.max(0, capacity - held(node.id(), true));
      locality.room(node.id(), Memory.ofBytes(room));
    }
    return locality.build();
  }

  private long held(NodeId node, boolean onlyRead) {
    long held = 0;
    for (Map.Entry<DataCopy, Copy> entry : new HashMap<>(copies).entrySet()) {
      if (entry.getKey().node().equals(node) && (!onlyRead || entry.getValue().readers > 0)) {
        held += bytes(entry.getKey());
      }
    }
    return held;
  }

  private static long bytes(DataCopy copy) {
    return copy.dataset().size().bytes();
  }
}
