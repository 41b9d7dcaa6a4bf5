package io.github.liquidscheduler.scheduler.start;

import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.Quotas;
import io.github.liquidscheduler.scheduler.quota.QueueAccount;
import io.github.liquidscheduler.scheduler.quota.Reclaim;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which running jobs of other queues leave for a waiting job, in which order: from the queue that
 * holds the most beside what is due to it, as long as it holds too much, the last in turn first.
 */
final class ReclaimedJobs implements Iterator<JobEntry> {

  private final Quotas quotas;
  private final Reclaim reclaim;
  private final boolean move;
  private final List<Losing> others = new ArrayList<>();
  private @Nullable JobEntry next;

  /** A queue, and the next job of it that would leave. */
  private static final class Losing {

    private final QueueAccount queue;
    private final Iterator<JobEntry> jobs;
    private @Nullable JobEntry next;

    Losing(QueueAccount queue, Iterator<JobEntry> jobs) {
      this.queue = queue;
      this.jobs = jobs;
      advance();
    }

    void advance() {
      next = jobs.hasNext() ? jobs.next() : null;
    }
  }

  private ReclaimedJobs(
      JobTable table,
      JobEntry winner,
      Reclaim reclaim,
      Predicate<JobEntry> isSpared,
      boolean move) {
    quotas = table.quotas();
    this.reclaim = reclaim;
    this.move = move;
    HelpfulNodes nodes = new HelpfulNodes(table.cluster(), winner.job());
    Predicate<JobEntry> helps = job -> nodes.touch(job) && !isSpared.test(job);
    table
        .running()
        .preemptibleByQueue()
        .forEach(
            (queue, jobs) -> {
              if (!queue.equals(winner.account())) {
                others.add(new Losing(queue, jobs.filter(helps).iterator()));
              }
            });
    next = find();
  }

  /**
   * Returns the jobs that may leave.
   *
   * @param reclaim the rules by which the job takes back something
   * @param isSpared which jobs nobody may take
   */
  static ReclaimedJobs losing(
      JobTable table, JobEntry winner, Reclaim reclaim, Predicate<JobEntry> isSpared) {
    return new ReclaimedJobs(table, winner, reclaim, isSpared, false);
  }

  /** Returns the jobs that may go on elsewhere, whether they may leave or not. */
  static ReclaimedJobs moving(
      JobTable table, JobEntry winner, Reclaim reclaim, Predicate<JobEntry> isSpared) {
    return new ReclaimedJobs(
        table, winner, reclaim, job -> !Rehousing.isMovable(job) || isSpared.test(job), true);
  }

  @Override
  public boolean hasNext() {
    return next != null;
  }

  @Override
  public JobEntry next() {
    @Nullable JobEntry found = next;
    if (found == null) {
      throw new NoSuchElementException();
    }
    next = find();
    return found;
  }

  private @Nullable JobEntry find() {
    @Nullable Losing worst = null;
    others.removeIf(queue -> !mayLose(queue));
    for (Losing queue : others) {
      if (worst == null || reclaim.isWorse(queue.queue, worst.queue)) {
        worst = queue;
      }
    }
    @Nullable JobEntry victim = worst == null ? null : worst.next;
    if (worst != null && victim != null) {
      reclaim.lose(worst.queue, quotas.charge(victim));
      worst.advance();
    }
    return victim;
  }

  /** Goes on to a job that the queue may lose; what it may not now it may not later. */
  private boolean mayLose(Losing queue) {
    if (move) {
      return queue.next != null;
    }
    while (queue.next != null && reclaim.mayLoseAny(queue.queue)) {
      if (reclaim.mayLose(queue.queue, quotas.charge(queue.next))) {
        return true;
      }
      queue.advance();
    }
    return false;
  }
}
