package io.github.liquidscheduler.scheduler.backfill;

import io.github.liquidscheduler.scheduling.ClusterEvent;

/** The events after which nodes are others, or take other jobs, than before. */
final class NodeChanges {

  private NodeChanges() {}

  /** Returns true if an event, or a part of it, is one. */
  static boolean areIn(ClusterEvent event) {
    return event.events().stream().anyMatch(NodeChanges::is);
  }

  private static boolean is(ClusterEvent event) {
    return event instanceof ClusterEvent.JobAdopted
        || event instanceof ClusterEvent.NodeLost
        || event instanceof ClusterEvent.NodeDraining
        || event instanceof ClusterEvent.NodeReturned
        || event instanceof ClusterEvent.NodeAdded
        || event instanceof ClusterEvent.NodeRetired
        || event instanceof ClusterEvent.GpuLost
        || event instanceof ClusterEvent.GpuReturned;
  }
}
