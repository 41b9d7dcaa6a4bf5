package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.placement.eviction.LeavingSearch;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.quota.Charge;
import io.github.liquidscheduler.scheduler.quota.HypotheticalUsage;
import io.github.liquidscheduler.scheduler.quota.QueueAccount;
import io.github.liquidscheduler.scheduler.quota.Reclaim;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds out who has to leave for a waiting job where queues are in a tree. Where they {@linkplain
 * LendingEviction lend} each other quota that has rules of its own. Else it is first jobs of
 * {@linkplain ReclaimVictims other queues}, if its own then holds no more than its share; else, if
 * the policy pre-empts, those of its own queue that come after it. Where jobs change their sizes,
 * they get smaller first; where they may move, those go on elsewhere that find a place. Nobody
 * leaves who has started in the same turn.
 */
public final class QueueEviction {

  private final JobTable table;
  private final Placer placer;
  private final Placer forWinner;
  private final Set<JobEntry> started;
  private final @Nullable ReclaimCandidates candidates;
  private boolean spared;

  /**
   * Makes a search.
   *
   * @param placer finds other places for those who leave
   * @param forWinner finds the place for which they do
   * @param started who has started in this turn
   */
  public QueueEviction(JobTable table, Placer placer, Placer forWinner, Set<JobEntry> started) {
    this(table, placer, forWinner, started, null);
  }

  private QueueEviction(
      JobTable table,
      Placer placer,
      Placer forWinner,
      Set<JobEntry> started,
      @Nullable ReclaimCandidates candidates) {
    this.candidates = candidates;
    this.table = table;
    this.placer = placer;
    this.forWinner = forWinner;
    this.started = started;
  }

  /**
   * Makes a search for jobs that, unless a quota is exceeded, have found too little room, by a
   * placer that is bound by capacity: only where others leave may there be enough. What they are
   * {@linkplain JobEntry#shortage known to lack} they lack even if all of their own queue leave
   * that they may pre-empt.
   *
   * @param candidates who may leave for them, but for those who have started in this turn
   */
  public static QueueEviction forLackOfCapacity(
      JobTable table, Placer placer, ReclaimCandidates candidates) {
    return new QueueEviction(table, placer, placer, candidates.started(), candidates);
  }

  /** Returns which jobs would make room for the job, or empty if none would. */
  public Optional<EvictionPlan> find(JobEntry winner) {
    if (table.quotas().reclaiming().lends()) {
      return new LendingEviction(table, placer, this::isSpared).find(winner);
    }
    Optional<EvictionPlan> plan = reclaim(winner);
    return plan.isPresent() || !table.policy().preempts() ? plan : preempt(winner);
  }

  /** Returns true if the search failed though somebody was there who has started in this turn. */
  public boolean hasSpared() {
    return spared;
  }

  private Optional<EvictionPlan> reclaim(JobEntry winner) {
    if (table.quotas().reclaiming() == Reclaiming.NEVER
        || !table.quotas().reclaimFor(winner).isJust()) {
      return Optional.empty();
    }
    if (table.quotas().excess(winner).isPresent()) {
      return reclaimBelowLimit(winner);
    }
    ReclaimCandidates.Answer known = known(winner, ReclaimCandidates::ask);
    Optional<EvictionPlan> plan =
        known.mayHelp()
            ? search(
                winner,
                QuotaPlacer.taking(forWinner, table.quotas(), winner, true),
                victims(winner))
            : Optional.empty();
    boolean isOtherOrder = winner.account().isPart() && known.areNear();
    if (plan.isEmpty()
        && isOtherOrder
        && known(winner, ReclaimCandidates::askNearestFirst).mayHelp()) {
      plan = reclaimNearestFirst(winner);
    }
    return plan.isPresent() || table.preemption().mostMoves() == 0 ? plan : reclaimByMoving(winner);
  }

  /** Returns what counting tells of those who may leave for a job, if it tells anything. */
  private ReclaimCandidates.Answer known(
      JobEntry winner, BiFunction<ReclaimCandidates, JobEntry, ReclaimCandidates.Answer> question) {
    if (candidates == null || !isCapacityLacking(winner)) {
      return ReclaimCandidates.Answer.NONE;
    }
    ReclaimCandidates.Answer known = question.apply(candidates, winner);
    spared |= known.hasSpared();
    return known;
  }

  private boolean isCapacityLacking(JobEntry winner) {
    return table.quotas().dependsOnlyOnCapacity(winner)
        && winner.job().sharing() instanceof Sharing.Exclusive;
  }

  private Iterator<EvictionSearch.Candidate> victims(JobEntry winner) {
    Reclaim rules = table.quotas().reclaimFor(winner).withoutRightsFromLosses();
    return table.quotas().guaranteesUnlendableQuota()
        ? ReclaimVictims.anywhere(table, winner, rules, this::isSpared)
        : ReclaimVictims.of(table, winner, rules, this::isSpared, knownLosses(winner, rules));
  }

  private Iterator<EvictionSearch.Candidate> victimsAnywhere(JobEntry winner) {
    Reclaim rules = table.quotas().reclaimFor(winner).withoutRightsFromLosses();
    return ReclaimVictims.anywhere(table, winner, rules, this::isSpared);
  }

  private Iterator<EvictionSearch.Candidate> victimsNearestFirst(JobEntry winner) {
    Reclaim rules = table.quotas().reclaimFor(winner);
    return ReclaimVictims.nearestFirst(
        table,
        winner,
        rules,
        this::isSpared,
        candidates != null && isCapacityLacking(winner)
            ? candidates.knownLossesNearestFirst(winner, rules)
            : any -> null);
  }

  /** Returns what was found, when it was counted, of what queues lose to a job. */
  private Function<QueueAccount, @Nullable List<EvictionSearch.Candidate>> knownLosses(
      JobEntry winner, Reclaim rules) {
    return candidates != null && isCapacityLacking(winner)
        ? candidates.knownLosses(winner, rules)
        : any -> null;
  }

  /**
   * Looks for who leaves of other parts of a queue that may hold no more, so that the winner may be
   * held in their stead.
   */
  private Optional<EvictionPlan> reclaimBelowLimit(JobEntry winner) {
    if (!table.quotas().isBlockedByParentLimit(winner)) {
      return Optional.empty();
    }
    ResourceLoss losses = new ResourceLoss(table);
    return new EvictionSearch<EvictionSearch.Candidate>(
            table.cluster(),
            QuotaPlacer.inShareBeyondLimits(forWinner, table.quotas(), winner),
            winner.job(),
            EvictionSearch.Limits.NONE,
            (placement, lost) -> keepsLimits(winner, placement, lost))
        .fewest(victimsAnywhere(winner))
        .map(plan -> new LeavingSearch.Result<>(plan.placement(), losses.byJob(plan.leaving())))
        .map(EvictionPlan::of);
  }

  private boolean keepsLimits(
      JobEntry winner, Placement placement, List<? extends EvictionSearch.Candidate> lost) {
    Charge holds = table.quotas().charge(placement, table.cluster().topology());
    return without(winner, lost).filter(rules -> rules.keepsLimits(holds)).isPresent();
  }

  /** Looks for room for which jobs leave beside the winner, so that others owe it the rest. */
  private Optional<EvictionPlan> reclaimNearestFirst(JobEntry winner) {
    ResourceLoss losses = new ResourceLoss(table);
    return new EvictionSearch<EvictionSearch.Candidate>(
            table.cluster(),
            QuotaPlacer.taking(forWinner, table.quotas(), winner, true),
            winner.job(),
            EvictionSearch.Limits.NONE,
            QuotaCondition.of(
                (placement, lost) ->
                    isJust(winner, lost) && respectsUnlendable(winner, placement, lost)))
        .fewest(victimsNearestFirst(winner))
        .map(plan -> new LeavingSearch.Result<>(plan.placement(), losses.byJob(plan.leaving())))
        .map(this::preferMoves);
  }

  /** Has those move who can, unless what they hold has to be given up. */
  private EvictionPlan preferMoves(LeavingSearch.Result<EvictionSearch.Candidate> plan) {
    return table.quotas().guaranteesUnlendableQuota()
        ? EvictionPlan.of(plan)
        : new VictimRelocation(table, placer, lost -> true).preferMoves(plan);
  }

  /** Returns true if a job takes nothing that others do not lend, once some are gone. */
  private boolean respectsUnlendable(
      JobEntry winner, Placement placement, List<? extends EvictionSearch.Candidate> lost) {
    HypotheticalUsage use = HypotheticalUsage.toAdmit();
    ResourceLoss losses = new ResourceLoss(table);
    lost.forEach(unit -> use.hold(ResourceLoss.job(unit).account(), losses.charge(unit), -1));
    return table.quotas().respectsUnlendable(winner, placement, table.cluster().topology(), use);
  }

  /**
   * Looks for room for which jobs of other queues move, and those that find no other place leave,
   * as far as that is just.
   */
  private Optional<EvictionPlan> reclaimByMoving(JobEntry winner) {
    VictimRelocation rehousing = new VictimRelocation(table, placer, lost -> isJust(winner, lost));
    return new EvictionSearch<>(
            table.cluster(),
            QuotaPlacer.inShare(forWinner, table.quotas(), winner),
            winner.job(),
            Consolidation.LIMITS,
            rehousing)
        .fewest(
            ReclaimVictims.moving(table, winner, table.quotas().reclaimFor(winner), this::isSpared))
        .flatMap(rehousing::complete);
  }

  private boolean isJust(JobEntry winner, List<? extends EvictionSearch.Candidate> lost) {
    return without(winner, lost).isPresent();
  }

  /** Returns the rules once others have lost something; empty if they may not. */
  private Optional<Reclaim> without(
      JobEntry winner, List<? extends EvictionSearch.Candidate> lost) {
    ResourceLoss losses = new ResourceLoss(table);
    Reclaim rules = table.quotas().reclaimFor(winner);
    for (EvictionSearch.Candidate unit : losses.units(lost)) {
      Charge charge = losses.charge(unit);
      if (!rules.mayLose(ResourceLoss.job(unit).account(), charge)) {
        return Optional.empty();
      }
      rules.lose(ResourceLoss.job(unit).account(), charge);
    }
    return Optional.of(rules);
  }

  private Optional<EvictionPlan> preempt(JobEntry winner) {
    if (table.quotas().excess(winner).isPresent()) {
      return table.quotas().isBlockedByLimit(winner) ? preemptInstead(winner) : Optional.empty();
    }
    if (candidates != null && winner.shortage().task(winner) != null) {
      return Optional.empty();
    }
    if (!staysWithinShare(winner)) {
      return preemptInstead(winner);
    }
    HelpfulNodes nodes = new HelpfulNodes(table.cluster(), winner.job());
    return search(
        winner,
        QuotaPlacer.taking(forWinner, table.quotas(), winner, false),
        preemptible(winner, job -> table.quotas().guaranteesUnlendableQuota() || nodes.touch(job)));
  }

  private Optional<EvictionPlan> preemptInstead(JobEntry winner) {
    OwnQueuePreemption search = new OwnQueuePreemption(table, forWinner, this::respectsUnlendable);
    return search.find(winner, () -> preemptible(winner, job -> true));
  }

  private Iterator<? extends EvictionSearch.Candidate> preemptible(
      JobEntry winner, Predicate<JobEntry> helps) {
    long rank = table.preemptsAbove(winner);
    return new ResourceLoss(table)
        .of(
            table
                .running()
                .preemptibleBeside(winner)
                .takeWhile(job -> job.rank() > rank)
                .filter(job -> helps.test(job) && !isSpared(job))
                .iterator());
  }

  /** Returns true if nobody takes back what a job gets, wherever it starts. */
  private boolean staysWithinShare(JobEntry winner) {
    return table.quotas().reclaiming() == Reclaiming.NEVER
        || (table.quotas().mayReclaim(winner) && !winner.job().parallelism().isElastic());
  }

  private boolean isSpared(JobEntry job) {
    boolean isNew = !started.isEmpty() && started.contains(job);
    spared |= isNew;
    return isNew;
  }

  private Optional<EvictionPlan> search(
      JobEntry winner, Placer within, Iterator<? extends EvictionSearch.Candidate> victims) {
    ResourceLoss losses = new ResourceLoss(table);
    EvictionSearch.@Nullable Acceptance<EvictionSearch.Candidate> leavesRest =
        table.quotas().guaranteesUnlendableQuota()
            ? QuotaCondition.of((placement, lost) -> respectsUnlendable(winner, placement, lost))
            : null;
    return victims.hasNext()
        ? new EvictionSearch<EvictionSearch.Candidate>(
                table.cluster(), within, winner.job(), EvictionSearch.Limits.NONE, leavesRest)
            .fewest(victims)
            .map(plan -> new LeavingSearch.Result<>(plan.placement(), losses.byJob(plan.leaving())))
            .map(this::preferMoves)
        : Optional.empty();
  }
}
