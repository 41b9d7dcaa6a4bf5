package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.JobOrders;
import io.github.liquidscheduler.scheduler.policy.QueueOrder.QueueView;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.NavigableSet;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/*
 * Idea: the order within a queue is fixed, so that only the first job of each queue stands in the
 * order of turns. That order asks the policy for ranks of queues, which may fail; so it is asked
 * only by first, and never while a job comes or goes.
 * Invariants: no set of a queue is empty; heads has an entry for the first job of every queue that
 * is neither in changed nor set aside; entries of jobs that are no longer first are skipped.
 * TurnOrderedJobsLaws.
 * Cost: add and remove O(log jobs of the queue); first O(log queues) for each changed queue, after
 * a reorder O(queues).
 */
/** Jobs in turn order, while the ranks of their queues change. */
public final class TurnOrderedJobs implements Iterable<JobEntry> {

  private final Map<QueueView, NavigableSet<JobEntry>> byQueue = new LinkedHashMap<>();
  private final PriorityQueue<Head> heads = new PriorityQueue<>(Head.IN_TURN);
  private final Set<QueueView> changed = new LinkedHashSet<>();
  private final Set<QueueView> aside = new HashSet<>();
  private boolean isInOrder;

  /** The first job of a queue, with the values by which it was ordered. */
  private record Head(JobEntry job, QueueView queue, double queueRank, long rank) {

    static final Comparator<Head> IN_TURN =
        Comparator.comparingDouble(Head::queueRank)
            .thenComparingLong(Head::rank)
            .thenComparingLong(head -> head.job().sequence());

    Head(JobEntry job) {
      this(job, job.queue(), job.turn(), job.rank());
    }
  }

  /** Makes an empty set. */
  public TurnOrderedJobs() {}

  /** Notes that ranks of queues may have changed. */
  public void reorder() {
    isInOrder = false;
  }

  /** Leaves a queue out of the order until all such queues are put back. */
  public void setAside(QueueView queue) {
    aside.add(queue);
  }

  /** Puts the queues back that were left out. */
  public void putBack() {
    isInOrder &= aside.isEmpty();
    aside.clear();
  }

  /** Adds a job unless it is present. */
  public void add(JobEntry job) {
    NavigableSet<JobEntry> queue =
        byQueue.computeIfAbsent(job.queue(), each -> new TreeSet<>(JobOrders.RANK));
    if (queue.add(job) && queue.first().equals(job)) {
      changed.add(job.queue());
    }
  }

  /** Adds jobs that are not present. */
  public void addAll(Collection<JobEntry> jobs) {
    jobs.forEach(this::add);
  }

  /** Removes a job if it is present. */
  public void remove(JobEntry job) {
    @Nullable NavigableSet<JobEntry> queue = byQueue.get(job.queue());
    if (queue == null) {
      return;
    }
    boolean isFirst = queue.first().equals(job);
    queue.remove(job);
    if (queue.isEmpty()) {
      byQueue.remove(job.queue());
    }
    if (isFirst) {
      changed.add(job.queue());
    }
  }

  /** Returns true if there is no job. */
  public boolean isEmpty() {
    return byQueue.isEmpty();
  }

  /** Returns true if a job is present. */
  public boolean contains(JobEntry job) {
    @Nullable NavigableSet<JobEntry> queue = byQueue.get(job.queue());
    return queue != null && queue.contains(job);
  }

  /** Returns the next job in turn of the queues that are not set aside, or null. */
  public @Nullable JobEntry first() {
    arrange();
    @Nullable Head head = heads.peek();
    while (head != null && !isFirst(head)) {
      heads.remove();
      head = heads.peek();
    }
    return head == null ? null : head.job();
  }

  private void arrange() {
    if (!isInOrder) {
      heads.clear();
      byQueue.values().forEach(queue -> heads.add(new Head(queue.first())));
      isInOrder = true;
    } else {
      for (QueueView each : changed) {
        @Nullable NavigableSet<JobEntry> queue = byQueue.get(each);
        if (queue != null) {
          heads.add(new Head(queue.first()));
        }
      }
    }
    changed.clear();
  }

  private boolean isFirst(Head head) {
    @Nullable NavigableSet<JobEntry> queue = byQueue.get(head.queue());
    return queue != null
        && !aside.contains(head.queue())
        && queue.first().equals(head.job())
        && head.rank() == head.job().rank();
  }

  /** Returns the jobs in no particular order. */
  @Override
  public Iterator<JobEntry> iterator() {
    return byQueue.values().stream().flatMap(NavigableSet::stream).iterator();
  }
}
