package io.github.liquidscheduler.scheduler.start;

import io.github.liquidscheduler.placement.eviction.CapacityByRank;
import io.github.liquidscheduler.placement.eviction.ClusterCapacity;
import io.github.liquidscheduler.placement.eviction.NodeSet;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.RunningJobs;
import io.github.liquidscheduler.scheduler.quota.QueueAccount;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What jobs may take of the whole cluster: what is free and what they may pre-empt others for.
 * Where those who run have few ranks that is kept as they come and go. Else jobs are asked for in
 * the order of their turns, in which it only shrinks, so all of them together cost one walk over
 * the running jobs.
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

  /** Forgets who could be pre-empted, since others can now. */
  void clear() {
    isCounted = false;
  }

  /** Notes that a job has started, so that others of its own queue may come to pre-empt it. */
  void started(JobEntry job) {
    if (table.quotas().hasQueueTree() && job.account().equals(ofQueue)) {
      isCounted = false;
    }
  }

  /** Returns what a job may take, of its own queue if there is a tree; until the next question. */
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
