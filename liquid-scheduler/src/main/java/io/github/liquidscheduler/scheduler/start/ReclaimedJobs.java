package io.github.liquidscheduler.scheduler.start;

import io.github.liquidscheduler.placement.makeroom.MakeRoom;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.quota.QueueAccount;
import io.github.liquidscheduler.scheduler.quota.Reclaim;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Spliterators;
import java.util.function.Predicate;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Which running jobs of other queues leave for a waiting job, or get smaller, in which order: from
 * the queue that holds the most beside what is due to it, as long as it holds too much, the last in
 * turn first.
 */
final class ReclaimedJobs implements Iterator<MakeRoom.Candidate> {

  private final Losses losses;
  private final Reclaim reclaim;
  private final Order order;
  private final List<Losing> others = new ArrayList<>();
  private MakeRoom.@Nullable Candidate next;

  /** Who is asked first. */
  private enum Order {
    /** From the queue that holds the most beside what is due to it, as far as it may lose any. */
    WORST_FIRST,
    /** The same, but from the queues that part with the winner's deepest down first. */
    NEAREST_FIRST,
    /** From the worst queue first, whether it may lose any or not. */
    MOVING
  }

  /** A queue, and the next job of it that would leave. */
  private static final class Losing {

    private final QueueAccount queue;
    private final Iterator<? extends MakeRoom.Candidate> jobs;
    private MakeRoom.@Nullable Candidate next;

    Losing(QueueAccount queue, Iterator<? extends MakeRoom.Candidate> jobs) {
      this.queue = queue;
      this.jobs = jobs;
      advance();
    }

    void advance() {
      next = jobs.hasNext() ? jobs.next() : null;
    }
  }

  private ReclaimedJobs(
      JobTable table, JobEntry winner, Reclaim reclaim, Predicate<JobEntry> isSpared, Order order) {
    losses = new Losses(table);
    this.reclaim = reclaim;
    this.order = order;
    HelpfulNodes nodes = new HelpfulNodes(table.cluster(), winner.job());
    Predicate<JobEntry> helps = job -> nodes.touch(job) && !isSpared.test(job);
    table
        .running()
        .preemptibleByQueue()
        .forEach(
            (queue, jobs) -> {
              if (!queue.equals(winner.account())) {
                Iterator<JobEntry> ofQueue = jobs.filter(helps).iterator();
                others.add(new Losing(queue, order == Order.MOVING ? ofQueue : losses.of(ofQueue)));
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
    return new ReclaimedJobs(table, winner, reclaim, isSpared, Order.WORST_FIRST);
  }

  /**
   * Returns the jobs that may leave, those first that count for the same parent as the winner: what
   * they hold the winner may have within what is guaranteed to that.
   */
  static ReclaimedJobs losingNearestFirst(
      JobTable table, JobEntry winner, Reclaim reclaim, Predicate<JobEntry> isSpared) {
    return new ReclaimedJobs(table, winner, reclaim, isSpared, Order.NEAREST_FIRST);
  }

  /** Returns the jobs that may go on elsewhere, whether they may leave or not. */
  static Iterator<JobEntry> moving(
      JobTable table, JobEntry winner, Reclaim reclaim, Predicate<JobEntry> isSpared) {
    Predicate<JobEntry> stays = job -> !Rehousing.isMovable(job) || isSpared.test(job);
    ReclaimedJobs jobs = new ReclaimedJobs(table, winner, reclaim, stays, Order.MOVING);
    return StreamSupport.stream(Spliterators.spliteratorUnknownSize(jobs, 0), false)
        .map(Losses::job)
        .iterator();
  }

  @Override
  public boolean hasNext() {
    return next != null;
  }

  @Override
  public MakeRoom.Candidate next() {
    MakeRoom.@Nullable Candidate found = next;
    if (found == null) {
      throw new NoSuchElementException();
    }
    next = find();
    return found;
  }

  private MakeRoom.@Nullable Candidate find() {
    @Nullable Losing worst = null;
    for (Losing queue : asked()) {
      if (worst == null || reclaim.isWorse(queue.queue, worst.queue)) {
        worst = queue;
      }
    }
    MakeRoom.@Nullable Candidate victim = worst == null ? null : worst.next;
    if (worst != null && victim != null) {
      reclaim.lose(worst.queue, losses.charge(victim));
      worst.advance();
    }
    return victim;
  }

  /** Returns the queues that may lose something now and are asked before any others. */
  private List<Losing> asked() {
    List<Losing> nearest = List.of();
    while (!others.isEmpty()) {
      int depth = others.stream().mapToInt(this::depth).max().orElseThrow();
      others.removeIf(queue -> depth(queue) == depth && !mayLose(queue));
      nearest = others.stream().filter(queue -> depth(queue) == depth).toList();
      if (!nearest.isEmpty()) {
        return nearest;
      }
    }
    return nearest;
  }

  private int depth(Losing queue) {
    return order == Order.NEAREST_FIRST ? reclaim.nearness(queue.queue) : 0;
  }

  /** Goes on to a job that the queue may lose; what it may not now it may not later. */
  private boolean mayLose(Losing queue) {
    if (order == Order.MOVING) {
      return queue.next != null;
    }
    while (queue.next != null && reclaim.mayLoseAny(queue.queue)) {
      if (reclaim.mayLose(queue.queue, losses.charge(queue.next))) {
        return true;
      }
      queue.advance();
    }
    return false;
  }
}
