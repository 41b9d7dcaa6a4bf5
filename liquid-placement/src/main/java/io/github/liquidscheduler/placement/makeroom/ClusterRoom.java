package io.github.liquidscheduler.placement.makeroom;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.gang.GangShape;

/** What the nodes of a cluster have free, and would have in addition if some jobs left them. */
public final class ClusterRoom {

  private final CapacityIndex index;
  private final NodeSet.Amounts left;

  /** Makes the room of a cluster that nobody has left yet. */
  public ClusterRoom(CapacityIndex index) {
    this.index = index;
    left = new NodeSet.Amounts(index.topology().nodes().size());
  }

  /** Adds what a job holds that may leave. */
  public void add(NodeSet held) {
    held.addTo(left, 1);
  }

  /** Takes away again what was added. */
  public void remove(NodeSet held) {
    held.addTo(left, -1);
  }

  /**
   * Returns how many tasks of a job that shares with nobody would go where; O(nodes). Valid until
   * the next change of what is free.
   */
  public TaskRoom forJob(JobSpec job) {
    return new TaskRoom(index, new GangShape(job, index), left);
  }
}
