package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.placement.eviction.LeavingSearch;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.policy.JobView;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.Quotas;
import io.github.liquidscheduler.scheduler.quota.HypotheticalUsage;
import io.github.liquidscheduler.scheduler.quota.LentQuota;
import io.github.liquidscheduler.scheduler.quota.SharedQuota;
import io.github.liquidscheduler.scheduling.ReclaimRule;
import java.util.BitSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/*
 * Idea: the rows of the table of victims where queues lend quota: candidates that stop with and
 *   without borrowing, what a plan must leave to donors, and which jobs must not stop each other.
 * Invariants: after a plan all quotas hold, and its victims are minimal; no victim could stop the
 *   winner in turn, by classical rules or by dominant shares. LendingLaws.
 * Cost: candidates are found once for each winner, O(jobs of its tree); a check of a plan is
 *   O(victims x depth x resources).
 * Source: Kueue, KEP 1337 (pre-emption) and KEP 1714 (fair sharing).
 */
/**
 * The rules where queues lend each other quota: borrowers and jobs of the own queue together, as
 * {@link io.github.liquidscheduler.queue.QueuePreemption} allows. These are Kueue's classical and
 * fair-sharing pre-emption. A plan must respect all quotas after the evictions; its victims are
 * minimal: without any of them it is invalid.
 */
final class LendingRules {

  /** The limit of candidates beyond those that counting calls for. */
  private static final int MOST_ASKED = 4096;

  private final RuleContext context;
  private final JobTable table;
  private final Quotas quotas;
  private final JobEntry winner;
  private final boolean isByShares;
  // Found before a search removes jobs from the cluster.
  private final BitSet needed = new BitSet();
  private @Nullable LendingCandidates known;

  /** Makes the rules for a job. */
  LendingRules(RuleContext context) {
    this.context = context;
    table = context.table();
    quotas = context.quotas();
    winner = context.winner();
    isByShares = quotas.reclaiming() == Reclaiming.DOMINANT_SHARES;
  }

  private LendingCandidates candidates() {
    @Nullable LendingCandidates found = known;
    if (found == null) {
      needed.or(ShortResources.of(table, winner));
      needed.and(quotas.admission().asked(winner));
      found = new LendingCandidates(context, lentQuota(HypotheticalUsage.toLend()));
      known = found;
    }
    return found;
  }

  private LentQuota lentQuota(HypotheticalUsage use) {
    return quotas.admission().lentTo(winner, needed, use);
  }

  /** Jobs stop with and without borrowing, first the mode with more candidates. */
  Optional<VictimRule> first() {
    return wasStoppedNow() || candidates().isEmpty()
        ? Optional.empty()
        : Optional.of(rule(borrowsFirst()));
  }

  /** The same in the other mode. */
  Optional<VictimRule> second() {
    return wasStoppedNow() || candidates().isEmpty() || isOnlyBorrowing()
        ? Optional.empty()
        : Optional.of(rule(!borrowsFirst()));
  }

  /**
   * Returns true if a job was stopped at this very time. It stops nobody, since jobs of different
   * sizes could stop each other endlessly, each by another rule. A job that has just failed counts
   * as stopped if it was ever pre-empted.
   */
  private boolean wasStoppedNow() {
    JobView job = winner.at(table.now());
    return context.spared().refuses(job.preemptions() > 0 && job.since().equals(table.now()));
  }

  private boolean isOnlyBorrowing() {
    return isByShares
        || candidates().areAllOwn()
        || !(mayTakeWhileBorrowing() || lentQuota(HypotheticalUsage.toLend()).isBelowOwn());
  }

  /**
   * Without borrowing all borrowers are candidates; with it only those to which the winner's branch
   * owes nothing.
   */
  private boolean borrowsFirst() {
    LentQuota quota = lentQuota(HypotheticalUsage.toLend());
    return isOnlyBorrowing()
        || mayTakeWhileBorrowing()
        || !candidates().ofQueues(quota::isOwed).isEmpty();
  }

  private boolean mayTakeWhileBorrowing() {
    return winner.account().preemption().whileBorrowing().isPresent();
  }

  private VictimRule rule(boolean borrows) {
    HypotheticalUsage use = HypotheticalUsage.toAdmit();
    return new VictimRule(
        victims(borrows, use),
        winner.job().atLeastSize(),
        context.reach(
            false,
            placement ->
                quotas.admission().admitsBesideUnlendable(winner, placement, use, borrows)),
        VictimRule.atMost(MOST_ASKED),
        (placement, gone) -> isByShares ? nobodyComesToBorrowMore(gone) : nobodyTakesBack(gone),
        // Asked of those who leave in the end only: a gang may make the others needless.
        found -> Optional.of(found).filter(this::noVictimTakesBack).map(this::plan));
  }

  private Iterator<Victim> victims(boolean borrows, HypotheticalUsage use) {
    HypotheticalUsage lent = HypotheticalUsage.toLend();
    LentQuota quota = lentQuota(lent);
    return isByShares
        ? new DominantVictims(
            winner.account(), quotas.charge(winner), candidates(), quota.isWithinOwn(), use)
        : new BorrowersVictims(candidates(), quota, lent, use, borrows);
  }

  /**
   * Returns true if the winner's share, after all evictions, is at most that of each donor before.
   * Needed because the search may keep jobs that it asked first.
   */
  private boolean nobodyComesToBorrowMore(List<EvictionSearch.Candidate> gone) {
    HypotheticalUsage after = without(gone);
    after.hold(winner.account(), quotas.charge(winner), 1);
    HypotheticalUsage before = HypotheticalUsage.toLend();
    for (EvictionSearch.Candidate each : gone) {
      Victim victim = (Victim) each;
      if (isBy(ReclaimRule.DOMINANT_SHARE, victim)
          && !SharedQuota.hasNoMore(winner.account(), after, victim.queue(), before)) {
        return false;
      }
      before.hold(victim.queue(), victim.charge(), -1);
    }
    return true;
  }

  /**
   * Returns true if donors of a borrowing winner keep their own quota. Otherwise they could reclaim
   * it, and the two would stop each other for ever.
   */
  private boolean nobodyTakesBack(List<EvictionSearch.Candidate> gone) {
    LentQuota after = lentQuota(without(gone));
    return gone.stream()
        .map(Victim.class::cast)
        .filter(victim -> isBy(ReclaimRule.WHILE_BORROWING, victim))
        .allMatch(victim -> after.keepsOwn(victim.queue()));
  }

  /**
   * Returns true if no victim could stop the winner, as it could if its queue, with it, borrowed
   * less than the winner's: a gang that leaves its queue little would bring those back that left
   * beside it, and the two queues would stop each other for ever.
   */
  private boolean noVictimTakesBack(LeavingSearch.Result<EvictionSearch.Candidate> found) {
    HypotheticalUsage after = without(found.leaving());
    after.hold(winner.account(), quotas.charge(winner), 1);
    for (EvictionSearch.Candidate each : found.leaving()) {
      Victim victim = (Victim) each;
      after.hold(victim.queue(), victim.charge(), 1);
      if (isBy(ReclaimRule.DOMINANT_SHARE, victim)
          && new SharedQuota(victim.queue(), after).isBelow(winner.account())) {
        return false;
      }
      after.hold(victim.queue(), victim.charge(), -1);
    }
    return true;
  }

  private static boolean isBy(ReclaimRule rule, Victim victim) {
    return victim.rule().filter(rule::equals).isPresent();
  }

  private static HypotheticalUsage without(List<EvictionSearch.Candidate> gone) {
    HypotheticalUsage use = HypotheticalUsage.toLend();
    gone.stream()
        .map(Victim.class::cast)
        .forEach(victim -> use.hold(victim.queue(), victim.charge(), -1));
    return use;
  }

  private EvictionPlan plan(LeavingSearch.Result<EvictionSearch.Candidate> found) {
    Map<JobEntry, ReclaimRule> rules = new LinkedHashMap<>();
    found.leaving().stream()
        .map(Victim.class::cast)
        .forEach(victim -> victim.rule().ifPresent(rule -> rules.put(victim.job(), rule)));
    return new EvictionPlan(
        found.placement(), new ResourceLoss(table).byJob(found).leaving(), Map.of(), rules);
  }
}
