package io.github.liquidscheduler.scheduler.start;

import io.github.liquidscheduler.scheduler.policy.QueueView;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Jobs in turn order, while the ranks of their queues change. The order within a queue is fixed, so
 * that only the first of each queue is moved.
 */
final class TurnOrderedJobs implements Iterable<JobEntry> {

  // Never iterated.
  private final Map<QueueView, NavigableSet<JobEntry>> byQueue = new HashMap<>();
  // None is empty. Sorted by first job if isInOrder.
  private final List<NavigableSet<JobEntry>> queues = new ArrayList<>();
  private boolean isInOrder = true;

  private static final Comparator<NavigableSet<JobEntry>> BY_FIRST =
      Comparator.comparing(NavigableSet::first, JobEntry.TURN);

  /** Notes that ranks of queues may have changed. */
  void reorder() {
    isInOrder = false;
  }

  /** Adds a job unless it is present. */
  void add(JobEntry job) {
    NavigableSet<JobEntry> queue =
        byQueue.computeIfAbsent(job.queueView(), each -> new TreeSet<>(JobEntry.RANK));
    if (queue.isEmpty()) {
      queue.add(job);
      insert(queue);
    } else if (JobEntry.RANK.compare(job, queue.first()) < 0) {
      remove(queue);
      queue.add(job);
      insert(queue);
    } else {
      queue.add(job);
    }
  }

  /** Adds jobs that are not present. */
  void addAll(Collection<JobEntry> jobs) {
    jobs.forEach(this::add);
  }

  /** Removes a job if it is present. */
  void remove(JobEntry job) {
    @Nullable NavigableSet<JobEntry> queue = byQueue.get(job.queueView());
    if (queue == null || queue.isEmpty()) {
      return;
    }
    if (JobEntry.RANK.compare(job, queue.first()) != 0) {
      queue.remove(job);
      return;
    }
    remove(queue);
    queue.remove(job);
    if (!queue.isEmpty()) {
      insert(queue);
    }
  }

  /** Returns the next job in turn, or null. */
  @Nullable JobEntry first() {
    if (!isInOrder) {
      queues.sort(BY_FIRST);
      isInOrder = true;
    }
    return queues.isEmpty() ? null : queues.getFirst().first();
  }

  /** Removes and returns the next job in turn; null if there is none. */
  @Nullable JobEntry poll() {
    @Nullable JobEntry first = first();
    if (first != null) {
      remove(first);
    }
    return first;
  }

  /** Returns the jobs in no particular order, as a copy. */
  List<JobEntry> toList() {
    return queues.stream().flatMap(NavigableSet::stream).toList();
  }

  /** Returns the jobs in no particular order. */
  @Override
  public Iterator<JobEntry> iterator() {
    return queues.stream().flatMap(NavigableSet::stream).iterator();
  }

  private void insert(NavigableSet<JobEntry> queue) {
    queues.add(isInOrder ? position(queue) : queues.size(), queue);
  }

  private void remove(NavigableSet<JobEntry> queue) {
    if (isInOrder) {
      queues.remove(position(queue));
    } else {
      queues.remove(indexOf(queue));
    }
  }

  /** Returns the index of the queue without using the order. It is present. */
  @SuppressWarnings("ReferenceEquality") // comparing two of the same content takes long
  private int indexOf(NavigableSet<JobEntry> queue) {
    int at = 0;
    while (queues.get(at) != queue) {
      at++;
    }
    return at;
  }

  /** Returns the position of the queue, or its insertion point; first jobs are distinct. */
  private int position(NavigableSet<JobEntry> queue) {
    int low = 0;
    int high = queues.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (BY_FIRST.compare(queues.get(middle), queue) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
