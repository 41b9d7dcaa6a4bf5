package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.quota.QueueAccount;
import io.github.liquidscheduler.scheduler.quota.Reclaim;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Victims of other queues for a waiting job, whole jobs or tasks: from the queue with the largest
 * usage relative to its due, while it uses too much, last in turn first.
 */
final class ReclaimVictims implements Iterator<EvictionSearch.Candidate> {

  private final List<DonorQueues> others = new ArrayList<>();
  private EvictionSearch.@Nullable Candidate next;

  /** The order of donors. */
  private enum Order {
    /** From the queue with the largest usage relative to its due, if it may lose a job. */
    WORST_FIRST,
    /**
     * Like {@link #WORST_FIRST}, but queues with the deepest common ancestor first. Below the top
     * jobs count on any node, since the winner may use their quota.
     */
    NEAREST_FIRST,
    /** Like {@link #WORST_FIRST}, but jobs count on any node. */
    WHEREVER,
    /** From the queue with the largest usage first, whether it may lose a job or not. */
    MOVING
  }

  private ReclaimVictims(
      JobTable table,
      JobEntry winner,
      Reclaim reclaim,
      Predicate<JobEntry> isSpared,
      Order order,
      @Nullable QueueAccount only,
      Function<QueueAccount, @Nullable List<EvictionSearch.Candidate>> known) {
    ResourceLoss losses = new ResourceLoss(table);
    HelpfulNodes nodes = new HelpfulNodes(table.cluster(), winner.job());
    Predicate<JobEntry> isAsked = job -> !isSpared.test(job);
    Predicate<JobEntry> helps = job -> nodes.touch(job) && isAsked.test(job);
    Function<QueueAccount, QueueCandidates> jobsOf =
        order == Order.MOVING
            ? queue -> new CandidateOrder(table.running().preemptibleOf(queue), losses)
            : losses::of;
    Function<Predicate<JobEntry>, DonorQueues> none =
        wanted ->
            new DonorQueues(
                winner.account(), reclaim, losses, order == Order.MOVING, jobsOf, wanted, known);
    if (order == Order.NEAREST_FIRST) {
      addNearestFirst(winner.account(), part -> none.apply(part.isPart() ? isAsked : helps));
    } else {
      others.add(none.apply(order == Order.WHEREVER ? isAsked : helps));
      if (only == null) {
        winner.account().root().siblings().forEach(others.getFirst()::add);
      } else {
        others.getFirst().add(only);
      }
    }
    next = find();
  }

  private void addNearestFirst(QueueAccount winner, Function<QueueAccount, DonorQueues> none) {
    for (@Nullable QueueAccount at = winner; at != null; at = at.parent()) {
      DonorQueues beside = none.apply(at);
      for (QueueAccount sibling : at.siblings()) {
        if (!sibling.equals(at)) {
          beside.add(sibling);
        }
      }
      others.add(beside);
    }
  }

  /**
   * Returns the victims.
   *
   * @param reclaim the rules
   * @param isSpared jobs that must not be stopped
   * @param known the cached loss of a queue beside a branch of the winner; null if unknown
   */
  static ReclaimVictims of(
      JobTable table,
      JobEntry winner,
      Reclaim reclaim,
      Predicate<JobEntry> isSpared,
      Function<QueueAccount, @Nullable List<EvictionSearch.Candidate>> known) {
    return new ReclaimVictims(table, winner, reclaim, isSpared, Order.WORST_FIRST, null, known);
  }

  /** Returns the victims on any node: they free quota. */
  static ReclaimVictims anywhere(
      JobTable table, JobEntry winner, Reclaim reclaim, Predicate<JobEntry> isSpared) {
    return new ReclaimVictims(table, winner, reclaim, isSpared, Order.WHEREVER, null, any -> null);
  }

  /**
   * Returns the victims of one queue that does not contain the winner's.
   *
   * @param anywhere whether victims count on any node
   */
  static ReclaimVictims ofQueue(
      QueueAccount only,
      JobTable table,
      JobEntry winner,
      Reclaim reclaim,
      Predicate<JobEntry> isSpared,
      boolean anywhere) {
    Order order = anywhere ? Order.WHEREVER : Order.WORST_FIRST;
    return new ReclaimVictims(table, winner, reclaim, isSpared, order, only, any -> null);
  }

  /**
   * Returns the victims, those first that count for the same ancestors as the winner, whose quota
   * it may use.
   */
  static ReclaimVictims nearestFirst(
      JobTable table,
      JobEntry winner,
      Reclaim reclaim,
      Predicate<JobEntry> isSpared,
      Function<QueueAccount, @Nullable List<EvictionSearch.Candidate>> known) {
    return new ReclaimVictims(table, winner, reclaim, isSpared, Order.NEAREST_FIRST, null, known);
  }

  /** Returns the jobs that may move, whether they may stop or not. */
  static Iterator<JobEntry> moving(
      JobTable table, JobEntry winner, Reclaim reclaim, Predicate<JobEntry> isSpared) {
    Predicate<JobEntry> stays = job -> !VictimRelocation.isMovable(job) || isSpared.test(job);
    ReclaimVictims jobs =
        new ReclaimVictims(table, winner, reclaim, stays, Order.MOVING, null, any -> null);
    return StreamSupport.stream(Spliterators.spliteratorUnknownSize(jobs, 0), false)
        .map(ResourceLoss::job)
        .iterator();
  }

  @Override
  public boolean hasNext() {
    return next != null;
  }

  @Override
  public EvictionSearch.Candidate next() {
    EvictionSearch.@Nullable Candidate found = next;
    if (found == null) {
      throw new NoSuchElementException();
    }
    next = find();
    return found;
  }

  private EvictionSearch.@Nullable Candidate find() {
    while (!others.isEmpty()) {
      EvictionSearch.@Nullable Candidate lost = others.getFirst().next();
      if (lost != null) {
        return lost;
      }
      others.removeFirst();
    }
    return null;
  }
}
