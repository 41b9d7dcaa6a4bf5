package io.github.liquidscheduler.scheduler.queue;

import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A walk through the first waiting job of each placement class in the order of turns, while jobs
 * start and stop and queues change their ranks. What comes to stand before the place where the walk
 * is, in its queue, is not met.
 */
public final class ClassWalk {

  private final List<OrderedJobs.Cursor> queues;

  ClassWalk(List<OrderedJobs.Cursor> queues) {
    this.queues = queues;
  }

  /**
   * Returns the next job that is wanted, or null if there is none. Jobs that are not wanted are
   * passed over for good; O(queues + jobs passed over).
   *
   * @param sieve finds those who may be wanted
   */
  public @Nullable JobEntry next(OrderedJobs.Sieve sieve, Predicate<JobEntry> wanted) {
    @Nullable JobEntry first = null;
    for (OrderedJobs.Cursor queue : queues) {
      @Nullable JobEntry job = queue.next(sieve, wanted);
      if (job != null && (first == null || JobEntry.TURN.compare(job, first) < 0)) {
        first = job;
      }
    }
    return first;
  }

  /** Passes over a job that is the next of its queue. */
  public void passOver(JobEntry job) {
    for (OrderedJobs.Cursor queue : queues) {
      queue.passOver(job);
    }
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
