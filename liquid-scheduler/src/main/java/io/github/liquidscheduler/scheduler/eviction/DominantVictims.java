package io.github.liquidscheduler.scheduler.eviction;

import static java.util.Objects.requireNonNull;

import io.github.liquidscheduler.scheduler.job.LazyIterator;
import io.github.liquidscheduler.scheduler.quota.Charge;
import io.github.liquidscheduler.scheduler.quota.HypotheticalUsage;
import io.github.liquidscheduler.scheduler.quota.QueueAccount;
import io.github.liquidscheduler.scheduler.quota.SharedQuota;
import io.github.liquidscheduler.scheduling.ReclaimRule;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Victims for a job by Kueue's fair sharing (KEP 1714): queues that borrow more for their weight
 * give to those that borrow less. The donor is the leaf reached from the root by descending into
 * the child with the largest share; it may be the winner's own queue. A job of another queue leaves
 *
 * <ul>
 *   <li>if the winner's queue stays within its own quota with the job; else
 *   <li>if the winner's share, with the job, is at most the donor's without its victim; or, if
 *       those are not enough,
 *   <li>one job of each queue whose share exceeds the winner's with the job.
 * </ul>
 *
 * <p>Shares are compared below the common ancestor. No winner ends above a donor, so that no two
 * queues reclaim from each other in turns.
 */
final class DominantVictims extends LazyIterator<Victim> {

  private final QueueAccount winner;
  private final HypotheticalUsage lent = HypotheticalUsage.toLend();
  private final boolean isWithinOwn;
  private final SharedQuota shares;
  private final Map<QueueAccount, Deque<Victim>> left = new LinkedHashMap<>();
  private final Map<QueueAccount, Deque<Victim>> refused = new LinkedHashMap<>();
  private boolean second;

  /**
   * Makes the order.
   *
   * @param asked the charge of the winning job
   * @param isWithinOwn whether its queue stays within its own quota
   * @param use the usage, kept current as victims leave
   */
  DominantVictims(
      QueueAccount winner,
      Charge asked,
      LendingCandidates candidates,
      boolean isWithinOwn,
      HypotheticalUsage use) {
    this.winner = winner;
    this.isWithinOwn = isWithinOwn;
    lent.hold(winner, asked, 1);
    shares = new SharedQuota(winner, lent);
    left.put(winner, candidates.victims(candidates.own(), Optional.empty(), use));
    ReclaimRule rule = isWithinOwn ? ReclaimRule.OWN_QUOTA : ReclaimRule.DOMINANT_SHARE;
    for (QueueAccount queue : candidates.queues()) {
      left.put(
          queue, candidates.victims(candidates.ofQueues(queue::equals), Optional.of(rule), use));
    }
  }

  @Override
  protected @Nullable Victim find() {
    @Nullable Victim found = second ? null : first();
    if (found == null && !second) {
      second = true;
      left.clear();
      left.putAll(refused);
      shares.restart();
    }
    found = found == null ? secondRule() : found;
    if (found != null) {
      lent.hold(found.queue(), found.charge(), -1);
    }
    return found;
  }

  private boolean hasVictims(QueueAccount queue) {
    @Nullable Deque<Victim> jobs = left.get(queue);
    return jobs != null && !jobs.isEmpty();
  }

  private @Nullable Victim first() {
    @Nullable QueueAccount queue = shares.largest(this::hasVictims);
    while (queue != null) {
      Deque<Victim> jobs = requireNonNull(left.get(queue));
      while (!jobs.isEmpty()) {
        Victim victim = jobs.remove();
        if (queue.equals(winner) || isWithinOwn || shares.staysBelow(queue, victim.charge())) {
          return victim;
        }
        refused.computeIfAbsent(queue, each -> new ArrayDeque<>()).add(victim);
      }
      queue = shares.largest(this::hasVictims);
    }
    return null;
  }

  private @Nullable Victim secondRule() {
    @Nullable QueueAccount queue = shares.largest(this::hasVictims);
    while (queue != null) {
      Victim victim = requireNonNull(left.remove(queue)).element();
      if (shares.isBelow(queue)) {
        return victim;
      }
      queue = shares.largest(this::hasVictims);
    }
    return null;
  }
}
