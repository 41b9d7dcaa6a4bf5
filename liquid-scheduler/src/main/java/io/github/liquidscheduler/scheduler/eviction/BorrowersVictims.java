package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.quota.Charge;
import io.github.liquidscheduler.scheduler.quota.HypotheticalUsage;
import io.github.liquidscheduler.scheduler.quota.LentQuota;
import io.github.liquidscheduler.scheduling.ReclaimRule;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * Victims for a job that reclaims lent quota, in order: jobs that hold quota owed to its branch,
 * then other borrowers, both while their queues borrow, then jobs of its own queue: Kueue's
 * classical pre-emption.
 */
final class BorrowersVictims implements Iterator<Victim> {

  private final ResourceLoss losses;
  private final HypotheticalUsage lent = HypotheticalUsage.toLend();
  private final LentQuota quota;
  private final HypotheticalUsage use;
  private final Deque<Victim> left = new ArrayDeque<>();

  /**
   * Makes the order.
   *
   * @param use the usage, kept current as victims leave
   * @param borrows whether the winner's queue may borrow; then it reclaims from others only owed
   *     quota or from jobs of low priority
   */
  BorrowersVictims(
      JobTable table,
      JobEntry winner,
      LendingCandidates candidates,
      BitSet needed,
      HypotheticalUsage use,
      boolean borrows) {
    this.use = use;
    losses = new ResourceLoss(table);
    quota = table.quotas().lentTo(winner, needed, lent);
    add(candidates.ofQueues(quota::isOwed), ReclaimRule.OWN_QUOTA);
    List<JobEntry> others = candidates.ofQueues(queue -> !quota.isOwed(queue));
    if (borrows) {
      add(
          others.stream().filter(candidates::isAllowedWhileBorrowing).toList(),
          ReclaimRule.WHILE_BORROWING);
    } else {
      add(others, ReclaimRule.OWN_QUOTA);
    }
    candidates.own().forEachRemaining(lost -> add(lost, Optional.empty()));
  }

  private void add(List<JobEntry> jobs, ReclaimRule rule) {
    losses.of(jobs.iterator()).forEachRemaining(lost -> add(lost, Optional.of(rule)));
  }

  private void add(EvictionSearch.Candidate lost, Optional<ReclaimRule> rule) {
    Charge charge = losses.charge(lost);
    left.add(new Victim(lost, ResourceLoss.job(lost).account(), charge, rule, use));
  }

  @Override
  public boolean hasNext() {
    while (!left.isEmpty() && !mayLeave(left.element())) {
      left.remove();
    }
    return !left.isEmpty();
  }

  private boolean mayLeave(Victim victim) {
    return victim.rule().isEmpty() || quota.borrows(victim.queue());
  }

  @Override
  public Victim next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    Victim victim = left.remove();
    lent.hold(victim.queue(), victim.charge(), -1);
    return victim;
  }
}
