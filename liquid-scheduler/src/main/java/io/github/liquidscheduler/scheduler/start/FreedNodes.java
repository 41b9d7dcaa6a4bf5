package io.github.liquidscheduler.scheduler.start;

import io.github.liquidscheduler.cluster.NodeHealth;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.placement.capacity.CapacityIndex;
import io.github.liquidscheduler.placement.makeroom.NodeRoom;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.RetryState;
import java.util.BitSet;
import java.util.List;

/**
 * Whom the room helps that an event has made. A job that did not fit before fits now only if one of
 * its tasks goes on a node where room has grown, since everywhere else there is no more than there
 * was; room counts what is free and what the job may take from others. So a job of which no task
 * fits on any such node, as it is at the time of the question, is known to fail.
 *
 * <p>That holds for placers that are {@linkplain
 * io.github.liquidscheduler.scheduling.Placer#isCapacityBound() bound by capacity} alone; with
 * others any growth may help anybody. What was learned of jobs that share GPUs may help those, on
 * any node.
 */
final class FreedNodes {

  private final JobTable table;
  private final RetryState changes;
  private final boolean helpAnywhere;

  /** Makes the question; if {@code helpAnywhere}, room on any node may help anybody. */
  FreedNodes(JobTable table, boolean helpAnywhere) {
    this.table = table;
    this.helpAnywhere = helpAnywhere;
    changes = table.changes();
  }

  /** Returns, of each class that may be helped, the first eligible job from this rank on. */
  List<JobEntry> firstsFrom(long rank) {
    if (helpAnywhere || changes.hasRelearned()) {
      return table.eligible().byClass().firstsFrom(rank).stream().filter(this::mayHelp).toList();
    }
    long gpus = -1;
    long cpu = -1;
    long memory = -1;
    BitSet nodes = changes.grownNodes();
    for (int node = nodes.nextSetBit(0); node >= 0; node = nodes.nextSetBit(node + 1)) {
      if (isUp(node)) {
        NodeRoom room = room(node, rank);
        gpus = Math.max(gpus, room.gpus());
        cpu = Math.max(cpu, room.cpu());
        memory = Math.max(memory, room.memory());
      }
    }
    return table.eligible().byClass().firstsFrom(rank, gpus, cpu, memory, this::mayHelp);
  }

  /** Returns false if nothing that grew can help a job that failed before. */
  boolean mayHelp(JobEntry job) {
    if (!changes.hasGrownFor(job)) {
      return false;
    }
    if (helpAnywhere
        || (changes.hasRelearned() && !(job.job().sharing() instanceof Sharing.Exclusive))) {
      return true;
    }
    BitSet nodes = changes.grownNodes();
    for (int node = nodes.nextSetBit(0); node >= 0; node = nodes.nextSetBit(node + 1)) {
      if (isUp(node) && room(node, job.rank()).mayHold(job.job(), job.placementClass().tasks())) {
        return true;
      }
    }
    return false;
  }

  private boolean isUp(int node) {
    return index().health(node) == NodeHealth.UP;
  }

  /** Returns what is free on a node, with what jobs of a rank may take from others there. */
  private NodeRoom room(int node, long rank) {
    NodeRoom room = new NodeRoom(index(), node);
    if (table.policy().preempts()) {
      NodeId id = index().topology().nodes().get(node).id();
      for (JobEntry job : table.running().on(id)) {
        if (job.job().isPreemptible() && table.currentRank(job) > rank) {
          room.add(job.nodes(index().topology()));
        }
      }
    }
    return room;
  }

  private CapacityIndex index() {
    return table.cluster().index();
  }
}
