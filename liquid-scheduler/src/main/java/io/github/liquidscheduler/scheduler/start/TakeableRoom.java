package io.github.liquidscheduler.scheduler.start;

import io.github.liquidscheduler.placement.makeroom.ClusterRoom;
import io.github.liquidscheduler.placement.makeroom.NodeSet;
import io.github.liquidscheduler.placement.makeroom.RoomByRank;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What jobs may take of the whole cluster: what is free and what they may pre-empt others for.
 * Where those who run have few ranks that is kept as they come and go. Else jobs are asked for in
 * the order of their turns, in which it only shrinks, so all of them together cost one walk over
 * the running jobs.
 */
final class TakeableRoom {

  private final JobTable table;
  private @Nullable ClusterRoom room;
  private final List<JobEntry> preemptible = new ArrayList<>();
  private int counted;
  private long last;

  TakeableRoom(JobTable table) {
    this.table = table;
  }

  /** Forgets who could be pre-empted, since others can now. */
  void clear() {
    room = null;
  }

  /** Returns what a job may take; valid until the next question. */
  ClusterRoom forJob(JobEntry job) {
    long rank = table.preemptsAbove(job);
    if (table.quotas().areKept()) {
      return ofOwnQueue(job, rank);
    }
    @Nullable RoomByRank known = roomByRank();
    if (known != null) {
      return known.above(rank, table.cluster().index());
    }
    ClusterRoom all = room == null || rank < last ? begin(rank) : room;
    last = rank;
    while (counted > 0 && preemptible.get(counted - 1).rank() <= rank) {
      all.remove(nodes(preemptible.get(--counted)));
    }
    return all;
  }

  /** Returns what is free, and what a job may take of its own queue; O(nodes). */
  private ClusterRoom ofOwnQueue(JobEntry job, long rank) {
    ClusterRoom all = new ClusterRoom(table.cluster().index());
    if (table.policy().preempts()) {
      table
          .running()
          .preemptibleBeside(job)
          .takeWhile(other -> other.rank() > rank)
          .forEach(other -> all.add(nodes(other)));
    }
    return all;
  }

  private @Nullable RoomByRank roomByRank() {
    return table.policy().preempts()
        ? table.running().roomByRank(table.cluster().topology())
        : null;
  }

  private ClusterRoom begin(long rank) {
    ClusterRoom all = new ClusterRoom(table.cluster().index());
    preemptible.clear();
    if (table.policy().preempts()) {
      table.running().preemptibleAbove(rank, any -> true).forEachRemaining(preemptible::add);
    }
    preemptible.forEach(each -> all.add(nodes(each)));
    counted = preemptible.size();
    room = all;
    return all;
  }

  private NodeSet nodes(JobEntry job) {
    return job.nodes(table.cluster().topology());
  }
}
