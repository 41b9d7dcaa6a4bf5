package io.github.liquidscheduler.scheduler.queue;

import java.util.List;
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

  /** Returns the job whose turn is next, or null if there is none; O(queues). */
  public @Nullable JobEntry peek() {
    OrderedJobs.@Nullable Cursor next = next();
    return next == null ? null : next.peek();
  }

  /** Goes on after the job whose turn is next. There is one. */
  public void skip() {
    OrderedJobs.@Nullable Cursor next = next();
    if (next != null) {
      next.skip();
    }
  }

  /** Returns a rank below which no job is left. */
  public long rank() {
    long rank = Long.MAX_VALUE;
    for (OrderedJobs.Cursor queue : queues) {
      @Nullable JobEntry job = queue.peek();
      rank = job == null ? rank : Math.min(rank, job.rank());
    }
    return rank;
  }

  private OrderedJobs.@Nullable Cursor next() {
    OrderedJobs.@Nullable Cursor next = null;
    @Nullable JobEntry first = null;
    for (OrderedJobs.Cursor queue : queues) {
      @Nullable JobEntry job = queue.peek();
      if (job != null && (first == null || JobEntry.TURN.compare(job, first) < 0)) {
        next = queue;
        first = job;
      }
    }
    return next;
  }
}
