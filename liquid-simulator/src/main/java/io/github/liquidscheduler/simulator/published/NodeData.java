package io.github.liquidscheduler.simulator.published;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.resource.Bandwidth;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import java.util.ArrayList;
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
  private final VirtualPlatform platform;
  private final NodeDisks disks;
  private final SharedPath path;
  private final Consumer<ClusterEvent> told;
  private final Map<NodeDisks.Copy, SharedPath.Moving> early = new LinkedHashMap<>();
  private final Map<NodeDisks.Copy, List<Runnable>> awaited = new HashMap<>();
  private double brought;
  private double cancelled;

  /**
   * Makes empty disks.
   *
   * @param told who is told of copies that have arrived or gone
   */
  NodeData(
      ClusterTopology cluster,
      Bandwidth bandwidth,
      VirtualPlatform platform,
      Consumer<ClusterEvent> told) {
    this.platform = platform;
    this.told = told;
    disks = new NodeDisks(cluster);
    path = new SharedPath(platform, bandwidth.bytesPerSecond());
  }

  /** Begins to bring a copy. */
  void bring(Decision.Prefetch prefetch) {
    prefetch.evict().forEach(name -> disks.evict(prefetch.node(), name));
    NodeDisks.Copy copy = new NodeDisks.Copy(prefetch.dataset(), prefetch.node());
    disks.keepRoom(copy);
    early.put(copy, path.begin(bytes(copy), () -> arrivedEarly(copy)));
  }

  /** Brings a copy no longer; what was moved of it is wasted. */
  void cancel(Decision.CancelPrefetch cancel) {
    for (NodeDisks.Copy copy : List.copyOf(early.keySet())) {
      if (copy.node().equals(cancel.node()) && copy.dataset().name().equals(cancel.dataset())) {
        SharedPath.Moving moving = Objects.requireNonNull(early.remove(copy));
        double moved = path.moved(moving);
        path.cancel(moving);
        disks.giveUpRoom(copy);
        cancelled += moved;
        brought += moved;
      }
    }
  }

  private void arrivedEarly(NodeDisks.Copy copy) {
    early.remove(copy);
    brought += bytes(copy);
    disks.giveUpRoom(copy);
    disks.add(copy, true);
    arrived(copy);
  }

  /** Lets a job read a copy if it is there; returns whether it is. */
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
  void await(NodeDisks.Copy copy, Runnable has) {
    boolean isComing = early.containsKey(copy) || awaited.containsKey(copy);
    awaited.computeIfAbsent(copy, each -> new ArrayList<>()).add(has);
    if (!isComing) {
      path.begin(bytes(copy), () -> arrivedLate(copy));
    }
  }

  /**
   * A copy is whole; one that finds no room on the disk is given up once it was read. Whatever goes
   * for it is told before the next goes, since the scheduler may have other copies go meanwhile.
   */
  private void arrivedLate(NodeDisks.Copy copy) {
    boolean someWent = true;
    while (someWent && !disks.hasRoom(copy)) {
      Optional<String> gone = disks.evictOldest(copy.node());
      gone.ifPresent(
          name -> told.accept(new ClusterEvent.DataEvicted(platform.instant(), copy.node(), name)));
      someWent = gone.isPresent();
    }
    boolean isKept = disks.hasRoom(copy);
    if (isKept) {
      disks.add(copy, false);
    }
    arrived(copy);
    if (!isKept) {
      told.accept(
          new ClusterEvent.DataEvicted(platform.instant(), copy.node(), copy.dataset().name()));
    }
  }

  private void arrived(NodeDisks.Copy copy) {
    @Nullable List<Runnable> readers = awaited.remove(copy);
    if (readers != null) {
      for (Runnable has : readers) {
        disks.use(copy);
        has.run();
      }
    }
    told.accept(new ClusterEvent.DataArrived(platform.instant(), copy.node(), copy.dataset()));
  }

  /** Returns the bytes that were brought beforehand. */
  double brought() {
    return brought;
  }

  /** Returns those of them that no job has read. */
  double wasted() {
    return disks.wasted() + cancelled;
  }

  private static double bytes(NodeDisks.Copy copy) {
    return (double) copy.dataset().size().bytes();
  }
}
