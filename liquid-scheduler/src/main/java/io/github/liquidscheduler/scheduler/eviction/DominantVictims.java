package io.github.liquidscheduler.scheduler.eviction;

import static java.util.Objects.requireNonNull;

import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.quota.Charge;
import io.github.liquidscheduler.scheduler.quota.HypotheticalUsage;
import io.github.liquidscheduler.scheduler.quota.LentQuota;
import io.github.liquidscheduler.scheduler.quota.QueueAccount;
import io.github.liquidscheduler.scheduler.quota.SharedQuota;
import io.github.liquidscheduler.scheduling.ReclaimRule;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
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
final class DominantVictims implements Iterator<Victim> {

  private final ResourceLoss losses;
  private final QueueAccount winner;
  private final HypotheticalUsage use;
  private final HypotheticalUsage lent = HypotheticalUsage.toLend();
  private final boolean isWithinOwn;
  private final SharedQuota shares;
  private final Map<QueueAccount, Deque<Victim>> left = new LinkedHashMap<>();
  private final Map<QueueAccount, Deque<Victim>> refused = new LinkedHashMap<>();
  private boolean second;
  private @Nullable Victim next;

  /**
   * Makes the order.
   *
   * @param use the usage, kept current as victims leave
   */
  DominantVictims(
      JobTable table,
      JobEntry winner,
      LendingCandidates candidates,
      BitSet needed,
      HypotheticalUsage use) {
    this.winner = winner.account();
    this.use = use;
    losses = new ResourceLoss(table);
    LentQuota quota = table.quotas().lentTo(winner, needed, HypotheticalUsage.toLend());
    isWithinOwn = quota.isWithinOwn();
    lent.hold(this.winner, table.quotas().charge(winner), 1);
    shares = new SharedQuota(this.winner, lent);
    candidates.own().forEachRemaining(lost -> add(lost, Optional.empty()));
    ReclaimRule rule = isWithinOwn ? ReclaimRule.OWN_QUOTA : ReclaimRule.DOMINANT_SHARE;
    for (QueueAccount queue : candidates.queues()) {
      losses
          .of(candidates.ofQueues(queue::equals).iterator())
          .forEachRemaining(lost -> add(lost, Optional.of(rule)));
    }
    next = find();
  }

  private void add(EvictionSearch.Candidate lost, Optional<ReclaimRule> rule) {
    Charge charge = losses.charge(lost);
    QueueAccount queue = ResourceLoss.job(lost).account();
    left.computeIfAbsent(queue, each -> new ArrayDeque<>())
        .add(new Victim(lost, queue, charge, rule, use));
  }

  @Override
  public boolean hasNext() {
    return next != null;
  }

  @Override
  public Victim next() {
    if (next == null) {
      throw new NoSuchElementException();
    }
    Victim found = next;
    lent.hold(found.queue(), found.charge(), -1);
    next = find();
    return found;
  }

  private @Nullable Victim find() {
    @Nullable Victim found = second ? null : first();
    if (found == null && !second) {
      second = true;
      left.clear();
      left.putAll(refused);
      shares.restart();
    }
    return found == null ? secondRule() : found;
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
