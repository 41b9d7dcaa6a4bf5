package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.placement.eviction.LeavingSearch;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.scheduler.policy.JobView;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.quota.HypotheticalUsage;
import io.github.liquidscheduler.scheduler.quota.LentQuota;
import io.github.liquidscheduler.scheduler.quota.SharedQuota;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.ReclaimRule;
import java.util.BitSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The search for victims where queues lend each other quota: borrowers and jobs of the own queue in
 * one search, as {@link io.github.liquidscheduler.queue.QueuePreemption} allows. These are Kueue's
 * classical and fair-sharing pre-emption. A plan must respect all quotas after the evictions; its
 * victims are minimal: without any of them it is invalid.
 */
final class LendingEviction {

  /** The limit of candidates beyond those that counting calls for. */
  private static final int MOST_ASKED = 4096;

  private static final EvictionSearch.Limits LIMITS =
      new EvictionSearch.Limits(Integer.MAX_VALUE, MOST_ASKED, Integer.MAX_VALUE, false);

  private final JobTable table;
  private final Placer placer;
  private final Predicate<JobEntry> isSpared;
  private final ResourceLoss losses;

  /**
   * Makes a search.
   *
   * @param isSpared jobs that must not be stopped
   */
  LendingEviction(JobTable table, Placer placer, Predicate<JobEntry> isSpared) {
    this.table = table;
    this.placer = placer;
    this.isSpared = isSpared;
    losses = new ResourceLoss(table);
  }

  /**
   * Returns the eviction plan for a job; empty if there is none. A job that was stopped at this
   * very time evicts nobody, since jobs of different sizes could stop each other endlessly, each by
   * another rule.
   */
  Optional<EvictionPlan> find(JobEntry winner) {
    if (wasStoppedNow(winner)) {
      table.quotas().refuseAt(table.now());
      return Optional.empty();
    }
    BitSet needed = ShortResources.of(table, winner);
    needed.and(table.quotas().asked(winner));
    LendingCandidates candidates =
        new LendingCandidates(table, winner, quota(winner, needed), isSpared);
    if (candidates.isEmpty()) {
      return Optional.empty();
    }
    return table.quotas().reclaiming() == Reclaiming.DOMINANT_SHARES
        ? byShares(winner, candidates, needed)
        : byQuota(winner, candidates, needed);
  }

  /** A job that has just failed counts as stopped if it was ever pre-empted. */
  private boolean wasStoppedNow(JobEntry winner) {
    JobView job = winner.at(table.now());
    return job.preemptions() > 0 && job.since().equals(table.now());
  }

  private LentQuota quota(JobEntry winner, BitSet needed) {
    return table.quotas().lentTo(winner, needed, HypotheticalUsage.toLend());
  }

  private Optional<EvictionPlan> byShares(
      JobEntry winner, LendingCandidates candidates, BitSet needed) {
    HypotheticalUsage use = HypotheticalUsage.toAdmit();
    return search(
        winner,
        true,
        use,
        new DominantVictims(table, winner, candidates, needed, use),
        gone -> nobodyComesToBorrowMore(winner, gone));
  }

  /**
   * Searches with and without borrowing, first the mode with more candidates. Without borrowing all
   * borrowers are candidates; with it only those to which the winner's branch owes nothing.
   */
  private Optional<EvictionPlan> byQuota(
      JobEntry winner, LendingCandidates candidates, BitSet needed) {
    LentQuota quota = quota(winner, needed);
    boolean mayTakeWhileBorrowing = winner.account().preemption().whileBorrowing().isPresent();
    boolean isOwedNothing = candidates.ofQueues(quota::isOwed).isEmpty();
    if (candidates.areAllOwn() || !(mayTakeWhileBorrowing || quota.isBelowOwn())) {
      return byQuota(winner, candidates, needed, true);
    }
    boolean borrowsFirst = mayTakeWhileBorrowing || !isOwedNothing;
    Optional<EvictionPlan> first = byQuota(winner, candidates, needed, borrowsFirst);
    return first.isPresent() ? first : byQuota(winner, candidates, needed, !borrowsFirst);
  }

  private Optional<EvictionPlan> byQuota(
      JobEntry winner, LendingCandidates candidates, BitSet needed, boolean borrows) {
    HypotheticalUsage use = HypotheticalUsage.toAdmit();
    Iterator<Victim> victims =
        new BorrowersVictims(table, winner, candidates, needed, use, borrows);
    return search(winner, borrows, use, victims, gone -> nobodyTakesBack(winner, needed, gone));
  }

  private Optional<EvictionPlan> search(
      JobEntry winner,
      boolean mayBorrow,
      HypotheticalUsage use,
      Iterator<Victim> victims,
      Predicate<List<Victim>> isJust) {
    Placer within = QuotaPlacer.imagining(placer, table.quotas(), winner, use, mayBorrow);
    return new EvictionSearch<Victim>(
            table.cluster(),
            within,
            winner.job().atLeastSize(),
            LIMITS,
            (placement, gone) -> isJust.test(gone))
        .fewest(victims)
        .map(plan -> made(winner, plan));
  }

  /**
   * Returns true if the winner's share, after all evictions, is at most that of each donor before.
   * Needed because the search may keep jobs that it asked first.
   */
  private boolean nobodyComesToBorrowMore(JobEntry winner, List<Victim> gone) {
    HypotheticalUsage after = without(gone);
    after.hold(winner.account(), table.quotas().charge(winner), 1);
    HypotheticalUsage before = HypotheticalUsage.toLend();
    for (Victim victim : gone) {
      boolean isByShare = victim.rule().filter(ReclaimRule.DOMINANT_SHARE::equals).isPresent();
      if (isByShare && !SharedQuota.hasNoMore(winner.account(), after, victim.queue(), before)) {
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
  private boolean nobodyTakesBack(JobEntry winner, BitSet needed, List<Victim> gone) {
    LentQuota after = table.quotas().lentTo(winner, needed, without(gone));
    return gone.stream()
        .filter(victim -> victim.rule().filter(ReclaimRule.WHILE_BORROWING::equals).isPresent())
        .allMatch(victim -> after.keepsOwn(victim.queue()));
  }

  private static HypotheticalUsage without(List<Victim> gone) {
    HypotheticalUsage use = HypotheticalUsage.toLend();
    gone.forEach(victim -> use.hold(victim.queue(), victim.charge(), -1));
    return use;
  }

  private EvictionPlan made(JobEntry winner, LeavingSearch.Result<Victim> plan) {
    Map<JobEntry, Reason> reasons = new LinkedHashMap<>();
    for (Victim victim : plan.leaving()) {
      victim
          .rule()
          .ifPresent(
              rule -> reasons.put(ResourceLoss.job(victim.lost()), reason(victim, winner, rule)));
    }
    List<EvictionSearch.Candidate> leaving =
        losses.byJob(plan.leaving().stream().map(Victim::lost).toList());
    return new EvictionPlan(plan.placement(), leaving, Map.of(), reasons);
  }

  private static Reason reason(Victim victim, JobEntry winner, ReclaimRule rule) {
    return new Reason.Reclaimed(victim.queue().name(), winner.account().name(), winner.id(), rule);
  }
}
