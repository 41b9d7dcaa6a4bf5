package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.scheduler.job.LazyIterator;
import io.github.liquidscheduler.scheduler.quota.HypotheticalUsage;
import io.github.liquidscheduler.scheduler.quota.LentQuota;
import io.github.liquidscheduler.scheduling.ReclaimRule;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Victims for a job that reclaims lent quota, in order: jobs that hold quota owed to its branch,
 * then other borrowers, both while their queues borrow, then jobs of its own queue: Kueue's
 * classical pre-emption.
 */
final class BorrowersVictims extends LazyIterator<Victim> {

  private final HypotheticalUsage lent;
  private final LentQuota quota;
  private final Deque<Victim> left = new ArrayDeque<>();

  /**
   * Makes the order.
   *
   * @param quota the borrowers under the usage {@code lent}, which is kept current
   * @param use the usage, kept current as victims leave
   * @param borrows whether the winner's queue may borrow; then it reclaims from others only owed
   *     quota or from jobs of low priority
   */
  BorrowersVictims(
      LendingCandidates candidates,
      LentQuota quota,
      HypotheticalUsage lent,
      HypotheticalUsage use,
      boolean borrows) {
    this.quota = quota;
    this.lent = lent;
    ReclaimRule rule = borrows ? ReclaimRule.WHILE_BORROWING : ReclaimRule.OWN_QUOTA;
    left.addAll(
        candidates.victims(
            candidates.ofQueues(quota::isOwed), Optional.of(ReclaimRule.OWN_QUOTA), use));
    left.addAll(
        candidates.victims(
            candidates.ofQueues(queue -> !quota.isOwed(queue)).stream()
                .filter(job -> !borrows || candidates.isAllowedWhileBorrowing(job))
                .toList(),
            Optional.of(rule),
            use));
    left.addAll(candidates.victims(candidates.own(), Optional.empty(), use));
  }

  @Override
  protected @Nullable Victim find() {
    for (@Nullable Victim victim = left.poll(); victim != null; victim = left.poll()) {
      if (victim.rule().isEmpty() || quota.borrows(victim.queue())) {
        lent.hold(victim.queue(), victim.charge(), -1);
        return victim;
      }
    }
    return null;
  }
}
