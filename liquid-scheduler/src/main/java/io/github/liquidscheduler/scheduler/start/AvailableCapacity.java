package io.github.liquidscheduler.scheduler.start;

import io.github.liquidscheduler.placement.eviction.CapacityByRank;
import io.github.liquidscheduler.placement.eviction.ClusterCapacity;
import io.github.liquidscheduler.placement.eviction.NodeSet;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.RunningJobs;
import io.github.liquidscheduler.scheduler.quota.QueueAccount;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The capacity of the whole cluster available to jobs: free capacity and that of jobs they may
 * pre-empt. With few distinct ranks it is maintained incrementally. Otherwise jobs are asked for in
 * turn order, in which it only shrinks: one walk over the running jobs for all of them.
 */
final class AvailableCapacity {

  private final JobTable table;
  private @Nullable ClusterCapacity capacity;
  private boolean isCounted;
  private @Nullable QueueAccount ofQueue;
  private final List<JobEntry> preemptible = new ArrayList<>();
  private int counted;
  private long last;

  AvailableCapacity(JobTable table) {
    this.table = table;
  }

  /** Drops the counted jobs, because others have become pre-emptible. */
  void clear() {
    isCounted = false;
  }

  /** Notes a start: jobs of the same queue may pre-empt it. */
  void started(JobEntry job) {
    if (table.quotas().hasQueueTree() && job.account().equals(ofQueue)) {
      isCounted = false;
    }
  }

  /**
   * Returns the capacity available to a job, in a queue tree of its own queue; valid until the next
   * call.
   */
  ClusterCapacity forJob(JobEntry job) {
    long rank = table.preemptsAbove(job);
    @Nullable CapacityByRank known = capacityByRank();
    if (known != null) {
      return known.above(rank, table.cluster().index());
    }
    @Nullable QueueAccount queue = table.quotas().hasQueueTree() ? job.account() : null;
    isCounted &= rank >= last && Objects.equals(queue, ofQueue);
    ClusterCapacity all = isCounted ? Objects.requireNonNull(capacity) : begin(job, rank);
    ofQueue = queue;
    last = rank;
    while (counted > 0 && preemptible.get(counted - 1).rank() <= rank) {
      all.remove(nodes(preemptible.get(--counted)));
    }
    return all;
  }

  private @Nullable CapacityByRank capacityByRank() {
    return table.policy().preempts() && !table.quotas().hasQueueTree()
        ? table.running().capacityByRank(table.cluster().topology())
        : null;
  }

  private ClusterCapacity begin(JobEntry job, long rank) {
    ClusterCapacity all = emptied();
    preemptible.clear();
    if (table.policy().preempts()) {
      preemptibleFor(job, rank).forEachRemaining(preemptible::add);
    }
    preemptible.forEach(each -> all.add(nodes(each)));
    counted = preemptible.size();
    isCounted = true;
    return all;
  }

  private ClusterCapacity emptied() {
    @Nullable ClusterCapacity known = capacity;
    if (known == null) {
      known = new ClusterCapacity(table.cluster().index());
      capacity = known;
    } else {
      known.clear();
    }
    return known;
  }

  private Iterator<JobEntry> preemptibleFor(JobEntry job, long rank) {
    RunningJobs running = table.running();
    return table.quotas().hasQueueTree()
        ? running.preemptibleBeside(job).takeWhile(other -> other.rank() > rank).iterator()
        : running.preemptibleAbove(rank, any -> true);
  }

  private NodeSet nodes(JobEntry job) {
    return job.nodes(table.cluster().topology());
  }
}
