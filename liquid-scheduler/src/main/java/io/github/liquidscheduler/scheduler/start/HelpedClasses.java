package io.github.liquidscheduler.scheduler.start;

import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.queue.ClassWalk;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/*
 * Idea: the first jobs of parked classes are asked in turn order, one at a time, whether released
 * capacity may help them, since most fail again behind the first that starts.
 * Invariants: capacity only shrinks as jobs start, so that skipped jobs need not be asked again; a
 * pre-emption has the walk begin again from the lowest victim's rank. RetryLaws; FreedNodesTest.
 * Cost: O(queues) to begin and after a start; classes that fit no grown node are skipped many at a
 * time. EventBench.
 */
/** The walk of a pass over the parked classes that released capacity may help, in turn order. */
final class HelpedClasses {

  private final JobTable table;
  private final FreedNodes freed;
  private @Nullable ClassWalk walk;
  private @Nullable JobEntry helped;

  HelpedClasses(JobTable table, FreedNodes freed) {
    this.table = table;
    this.freed = freed;
  }

  /** Begins the walk where the last event has stopped, if this one released capacity. */
  void begin() {
    if (table.agenda().hasGrown()) {
      beginFrom(table.agenda().grownFrom(), table.agenda().askedOf());
    }
  }

  private void beginFrom(long rank, long asked) {
    walk = table.eligible().byClass().walkFrom(rank, asked);
    helped = null;
  }

  /** Returns the next first job of a class that the growth may help; null if there is none. */
  @Nullable JobEntry peek() {
    if (helped == null && walk != null) {
      helped = walk.next(freed::passOver, freed::isHelped);
    }
    return helped;
  }

  /** Advances past the present job. There is one. */
  void skip() {
    Objects.requireNonNull(walk).passOver(Objects.requireNonNull(helped));
    helped = null;
  }

  /** Leaves the queue of the present job to the end of the walk. There is one. */
  void setAside() {
    Objects.requireNonNull(walk).setAside();
    helped = null;
  }

  /** Puts the queues back that were left to the end. */
  void putBack() {
    if (walk != null) {
      walk.putBack();
      helped = null;
    }
  }

  /** Returns true if the walk has begun. */
  boolean hasBegun() {
    return walk != null;
  }

  /** Returns the job of the lowest rank still to be visited, or null. */
  @Nullable JobEntry lowest() {
    return walk == null ? null : walk.lowest();
  }

  /** Notes a start, which reduces capacity. */
  void started(JobEntry job) {
    lookAgain();
    freed.started(job);
  }

  /** Notes pre-emptions, which help jobs of this rank and higher ones. */
  void preempted(long rank) {
    freed.preempted();
    @Nullable JobEntry left = lowest();
    if (left == null || rank <= left.rank()) {
      beginFrom(rank, -1);
    } else {
      lookAgain();
    }
  }

  private void lookAgain() {
    helped = null;
    if (walk != null) {
      walk.reorder();
    }
  }
}
