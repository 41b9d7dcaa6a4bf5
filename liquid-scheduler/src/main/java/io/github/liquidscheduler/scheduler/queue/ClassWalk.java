package io.github.liquidscheduler.scheduler.queue;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A walk through the first waiting job of each placement class in the order of turns, while jobs
 * start and stop and queues change their ranks. What comes to stand before the place where the walk
 * is, in its queue, is not met.
 */
public final class ClassWalk {

  private final List<OrderedJobs.Cursor> queues;
  // Who is next of each queue, or stands before that one; of some queues nobody is left.
  private final PriorityQueue<Next> turns = new PriorityQueue<>(Next.IN_TURN);
  private boolean isInOrder;

  /** A queue, and the first of it that has not been passed over. */
  private record Next(OrderedJobs.Cursor queue, JobEntry job) {
    static final Comparator<Next> IN_TURN = Comparator.comparing(Next::job, JobEntry.TURN);
  }

  ClassWalk(List<OrderedJobs.Cursor> queues) {
    this.queues = queues;
  }

  /** Notes that queues may have other ranks than before, and other jobs. */
  public void reorder() {
    isInOrder = false;
  }

  /**
   * Returns the next job that is wanted, or null if there is none. Jobs that are not wanted are
   * passed over for good. Costs O(queues) after a {@link #reorder}, else jobs passed over only;
   * until then nobody may come to be wanted who was not.
   *
   * @param sieve finds those who may be wanted
   */
  public @Nullable JobEntry next(OrderedJobs.Sieve sieve, Predicate<JobEntry> wanted) {
    if (!isInOrder) {
      turns.clear();
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

  /** Passes over the job that was returned last. */
  public void passOver(JobEntry job) {
    OrderedJobs.Cursor queue = turns.remove().queue();
    queue.passOver(job);
    add(queue, queue.next(any -> true));
  }

  /** Returns the job of the lowest rank that is left, the first submitted of these, or null. */
  public @Nullable JobEntry lowest() {
    @Nullable JobEntry lowest = null;
    for (OrderedJobs.Cursor queue : queues) {
      @Nullable JobEntry job = queue.next(any -> true);
      if (job != null && (lowest == null || JobEntry.RANK.compare(job, lowest) < 0)) {
        lowest = job;
      }
    }
    return lowest;
  }
}
