package io.github.liquidscheduler.simulator.storage;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.ListMultimap;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Copies of data sets on the disks of nodes, and the path over which they come: before jobs start,
 * or when they read what is not there. All that is on its way shares the path alike. Mutable.
 */
final class NodeData {
  private final EventClock clock;
  private final NodeDisks disks;
  private final SharedPath path;
  private final Consumer<ClusterEvent> told;
  private final Map<NodeDisks.Copy, SharedPath.Moving> early = new LinkedHashMap<>();
  private final Map<NodeDisks.Copy, SharedPath.Moving> late = new HashMap<>();
  private final ListMultimap<NodeDisks.Copy, Reader> awaited = ArrayListMultimap.create();
  private double brought;
  private double cancelled;

  /** Is told that a copy is there for which it waits. */
  @FunctionalInterface
  interface Reader {
    /** The copy is there, and if it is held stays on the disk until the reader leaves it. */
    void has(NodeDisks.Copy copy, boolean isHeld);
  }

  /** Makes disks with the initial copies of nodes; {@code told} hears of copies that come or go. */
  NodeData(
      ClusterTopology cluster, Bandwidth bandwidth, EventClock clock, Consumer<ClusterEvent> told) {
    this.clock = clock;
    this.told = told;
    disks = new NodeDisks(cluster);
    path = new SharedPath(clock, bandwidth.bytesPerSecond());
  }

  /** Begins to bring a copy. */
  void bring(Decision.Prefetch prefetch) {
    prefetch.evict().forEach(name -> disks.evict(prefetch.node(), name));
    NodeDisks.Copy copy = new NodeDisks.Copy(prefetch.dataset(), prefetch.node());
    disks.reserve(copy);
    early.put(copy, path.begin(bytes(copy), () -> arrivedEarly(copy)));
  }

  /** Cancels a transfer; the moved part is wasted, and a waiting job reads all of it itself. */
  void cancel(Decision.CancelPrefetch cancel) {
    for (NodeDisks.Copy copy : List.copyOf(early.keySet())) {
      if (copy.node().equals(cancel.node()) && copy.dataset().name().equals(cancel.dataset())) {
        SharedPath.Moving moving = Objects.requireNonNull(early.remove(copy));
        double moved = path.moved(moving);
        path.cancel(moving);
        disks.unreserve(copy);
        cancelled += moved;
        brought += moved;
        if (awaited.containsKey(copy)) {
          bringLate(copy);
        }
      }
    }
  }

  private void arrivedEarly(NodeDisks.Copy copy) {
    early.remove(copy);
    brought += bytes(copy);
    disks.unreserve(copy);
    disks.add(copy, true);
    arrived(copy);
  }

  /** Reads a copy if it is there; returns true if it is. */
  boolean use(NodeDisks.Copy copy) {
    boolean isThere = disks.isThere(copy);
    disks.use(copy);
    return isThere;
  }

  /** Lets a job that has read a copy end. */
  void leave(NodeDisks.Copy copy) {
    disks.leave(copy);
  }

  /** Lets a job read a copy that is not there, as soon as it is; brings it unless it comes. */
  void await(NodeDisks.Copy copy, Reader reader) {
    boolean isComing = early.containsKey(copy) || late.containsKey(copy);
    awaited.put(copy, reader);
    if (!isComing) {
      bringLate(copy);
    }
  }

  private void bringLate(NodeDisks.Copy copy) {
    late.put(copy, path.begin(bytes(copy), () -> arrivedLate(copy)));
  }

  /** Ends a job's wait for a copy; its transfer stops if no other job asked for it. */
  void giveUp(NodeDisks.Copy copy, Reader reader) {
    awaited.remove(copy, reader);
    if (!awaited.containsKey(copy)) {
      SharedPath.@Nullable Moving moving = late.remove(copy);
      if (moving != null) {
        path.cancel(moving);
      }
    }
  }

  /**
   * Completes a copy; without space on the disk it is dropped once read. Each eviction is reported
   * before the next, since the scheduler may evict other copies meanwhile.
   */
  private void arrivedLate(NodeDisks.Copy copy) {
    late.remove(copy);
    boolean someWent = true;
    while (someWent && !disks.fits(copy)) {
      Optional<String> gone = disks.evictOldest(copy.node());
      gone.ifPresent(
          name -> told.accept(new ClusterEvent.DataEvicted(clock.instant(), copy.node(), name)));
      someWent = gone.isPresent();
    }
    boolean isKept = disks.fits(copy);
    if (isKept) {
      disks.add(copy, false);
    }
    arrived(copy);
    if (!isKept) {
      told.accept(
          new ClusterEvent.DataEvicted(clock.instant(), copy.node(), copy.dataset().name()));
    }
  }

  private void arrived(NodeDisks.Copy copy) {
    for (Reader reader : awaited.get(copy)) {
      reader.has(copy, use(copy));
    }
    awaited.removeAll(copy);
    told.accept(new ClusterEvent.DataArrived(clock.instant(), copy.node(), copy.dataset()));
  }

  /** Returns the bytes brought beforehand, of what is on its way as far as it was moved. */
  double brought() {
    return brought + moved(early.keySet());
  }

  /** Returns those of them that no job has read, nor waits for. */
  double wasted() {
    return disks.wasted()
        + cancelled
        + moved(early.keySet().stream().filter(copy -> !awaited.containsKey(copy)).toList());
  }

  private double moved(Collection<NodeDisks.Copy> copies) {
    double moved = 0;
    for (NodeDisks.Copy copy : copies) {
      moved += path.moved(Objects.requireNonNull(early.get(copy)));
    }
    return moved;
  }

  private static double bytes(NodeDisks.Copy copy) {
    return (double) copy.dataset().size().bytes();
  }
}
