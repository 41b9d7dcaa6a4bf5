package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.JobOrders;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A walk through the first waiting job of each placement class in turn order, robust against
 * starts, stops and new ranks of queues. Jobs inserted before the walk's position in their queue
 * are not visited.
 */
public final class ClassWalk {

  private final List<OrderedJobs.Cursor> queues;
  // The next job of each queue, or one before it; exhausted queues are absent.
  private final PriorityQueue<Next> turns = new PriorityQueue<>(Next.IN_TURN);
  private final List<Next> aside = new ArrayList<>();
  private boolean isInOrder;

  /** A queue with its first job that has not been skipped. */
  private record Next(OrderedJobs.Cursor queue, JobEntry job) {
    static final Comparator<Next> IN_TURN = Comparator.comparing(Next::job, JobOrders.TURN);
  }

  ClassWalk(List<OrderedJobs.Cursor> queues) {
    this.queues = queues;
  }

  /** Notes that ranks of queues, or jobs, may have changed. */
  public void reorder() {
    isInOrder = false;
  }

  /**
   * Returns the next wanted job, or null. Skipped jobs are not visited again. Costs O(queues) after
   * a {@link #reorder}, else only the skipped jobs; until then no job may become wanted.
   *
   * @param sieve skips unwanted jobs many at a time
   */
  public @Nullable JobEntry next(OrderedJobs.Sieve sieve, Predicate<JobEntry> wanted) {
    if (!isInOrder) {
      turns.clear();
      aside.clear();
      queues.forEach(queue -> add(queue, queue.next(sieve, wanted)));
      isInOrder = true;
    }
    for (@Nullable Next next = turns.peek(); next != null; next = turns.peek()) {
      @Nullable JobEntry first = next.queue().next(sieve, wanted);
      if (next.job().equals(first)) {
        return first;
      }
      turns.poll();
      add(next.queue(), first);
    }
    return null;
  }

  private void add(OrderedJobs.Cursor queue, @Nullable JobEntry first) {
    if (first != null) {
      turns.add(new Next(queue, first));
    }
  }

  /** Leaves the queue of the job that was returned last to the end; a reorder forgets it. */
  public void setAside() {
    aside.add(turns.remove());
  }

  /** Puts the queues back that were left to the end. */
  public void putBack() {
    turns.addAll(aside);
    aside.clear();
  }

  /** Skips the job that was returned last. */
  public void passOver(JobEntry job) {
    OrderedJobs.Cursor queue = turns.remove().queue();
    queue.passOver(job);
    add(queue, queue.next(any -> true));
  }

  /** Returns the job of the lowest rank that remains, the earliest submitted of these, or null. */
  public @Nullable JobEntry lowest() {
    @Nullable JobEntry lowest = null;
    for (OrderedJobs.Cursor queue : queues) {
      @Nullable JobEntry job = queue.next(any -> true);
      if (job != null && (lowest == null || JobOrders.RANK.compare(job, lowest) < 0)) {
        lowest = job;
      }
    }
    return lowest;
  }
}
