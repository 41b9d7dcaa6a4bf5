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
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/*
 * Idea: one search after the other, cheapest rule first: reclaim from other queues, the same
 * nearest first, the same with moves, then jobs of the own queue. Candidates are counted by node
 * before a search starts, and searches that cannot succeed are skipped.
 * Invariants: a plan satisfies all quotas after its evictions; jobs that started in this turn are
 * spared; hasSpared is true if one of them might have helped; cluster and usage are as before.
 * QueueLaws, GivingBackLaws, ElasticQueueLaws and QueuesTest.
 * Cost: counting O(siblings on the path to the root + nodes of uncached victims); then that of
 * EvictionSearch for each search, at most four. QueueBench: a gang of 512 GPUs that reclaims its
 * guarantee.
 * Source: KAI-Scheduler's actions reclaim, preempt and consolidation.
 */
/**
 * The search for victims in a queue tree. In {@linkplain LendingEviction lending mode} separate
 * rules apply. Otherwise jobs of {@linkplain ReclaimVictims other queues} are asked first, if the
 * winner's queue stays within its share; then, if the policy pre-empts, later jobs of its own
 * queue. Elastic jobs shrink first; movable jobs move if they fit elsewhere. Jobs that started in
 * this turn are spared.
 */
final class QueueEviction {

  private final JobTable table;
  private final Placer placer;
  private final Placer forWinner;
  private final Set<JobEntry> started;
  private final @Nullable ReclaimCandidates candidates;
  private boolean spared;
  // Found before a search removes jobs from the cluster.
  private BitSet scarce = new BitSet();

  /** A question about the candidates, under rules that take note of the losses. */
  @FunctionalInterface
  private interface Question {
    ReclaimCandidates.Answer ask(ReclaimCandidates candidates, JobEntry winner, Reclaim rules);
  }

  /**
   * Makes a search.
   *
   * @param placer places moved jobs
   * @param forWinner places the waiting job
   * @param started the jobs that started in this turn
   * @param candidates the countable candidates, without jobs that started in this turn, for jobs
   *     that found too little capacity, or exceed a quota, with a capacity-bound placer; their
   *     {@linkplain JobEntry#shortage known shortage} remains even if all pre-emptible jobs of
   *     their own queue leave
   */
  QueueEviction(
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

  /** Returns the eviction plan for a job; empty if there is none. */
  Optional<EvictionPlan> find(JobEntry winner) {
    if (table.quotas().reclaiming().lends()) {
      return new LendingEviction(table, placer, this::isSpared).find(winner);
    }
    Optional<EvictionPlan> plan = reclaim(winner);
    return plan.isPresent() || !table.policy().preempts() ? plan : preempt(winner);
  }

  /** Returns true if the search failed and skipped a job that started in this turn. */
  boolean hasSpared() {
    return spared;
  }

  private Reclaim rules(JobEntry winner) {
    return table.quotas().reclaimFor(winner, scarce);
  }

  private Optional<EvictionPlan> reclaim(JobEntry winner) {
    if (table.quotas().reclaiming() == Reclaiming.NEVER || !table.quotas().isWithinShare(winner)) {
      return Optional.empty();
    }
    scarce = ShortResources.of(table, winner);
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

  /** Returns the counted answer about the candidates, if capacity alone decides. */
  private ReclaimCandidates.Answer known(JobEntry winner, Question question) {
    if (candidates == null || !isCapacityLacking(winner)) {
      return ReclaimCandidates.Answer.NONE;
    }
    ReclaimCandidates.Answer known = question.ask(candidates, winner, rules(winner));
    spared |= known.hasSpared();
    return known;
  }

  private boolean isCapacityLacking(JobEntry winner) {
    return table.quotas().dependsOnlyOnCapacity(winner)
        && winner.job().sharing() instanceof Sharing.Exclusive;
  }

  private Iterator<EvictionSearch.Candidate> victims(JobEntry winner) {
    Reclaim rules = rules(winner).withoutRightsFromLosses();
    return table.quotas().guaranteesUnlendableQuota()
        ? ReclaimVictims.anywhere(table, winner, rules, this::isSpared)
        : ReclaimVictims.of(table, winner, rules, this::isSpared, knownLosses(winner, rules));
  }

  private Iterator<EvictionSearch.Candidate> victimsAnywhere(JobEntry winner) {
    Reclaim rules = rules(winner).withoutRightsFromLosses();
    return ReclaimVictims.anywhere(table, winner, rules, this::isSpared);
  }

  private Iterator<EvictionSearch.Candidate> victimsNearestFirst(JobEntry winner) {
    Reclaim rules = rules(winner);
    return ReclaimVictims.nearestFirst(
        table,
        winner,
        rules,
        this::isSpared,
        candidates != null && isCapacityLacking(winner)
            ? candidates.knownLossesNearestFirst(winner, rules)
            : any -> null);
  }

  /** Returns the cached losses of queues to a job. */
  private Function<QueueAccount, @Nullable List<EvictionSearch.Candidate>> knownLosses(
      JobEntry winner, Reclaim rules) {
    return candidates != null && isCapacityLacking(winner)
        ? candidates.knownLosses(winner, rules)
        : any -> null;
  }

  /** Searches for victims below an ancestor that is at its limit, which the winner may replace. */
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

  /**
   * Searches for victims nearest first: losses beside the winner's branch make other queues owe it
   * the rest.
   */
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
        .map(plan -> preferMoves(winner, plan));
  }

  /** Moves victims that fit elsewhere, unless their quota must be released. */
  private EvictionPlan preferMoves(
      JobEntry winner, LeavingSearch.Result<EvictionSearch.Candidate> plan) {
    return table.quotas().guaranteesUnlendableQuota()
        ? EvictionPlan.of(plan)
        : new VictimRelocation(table, placer, winner, lost -> true).preferMoves(plan);
  }

  /** Returns true if the job takes no unlendable quota of others after the evictions. */
  private boolean respectsUnlendable(
      JobEntry winner, Placement placement, List<? extends EvictionSearch.Candidate> lost) {
    HypotheticalUsage use = HypotheticalUsage.toAdmit();
    ResourceLoss losses = new ResourceLoss(table);
    lost.forEach(unit -> use.hold(ResourceLoss.job(unit).account(), losses.charge(unit), -1));
    return table.quotas().respectsUnlendable(winner, placement, table.cluster().topology(), use);
  }

  /**
   * Searches for jobs of other queues to move; those without a new placement leave, as far as the
   * rules allow.
   */
  private Optional<EvictionPlan> reclaimByMoving(JobEntry winner) {
    VictimRelocation rehousing =
        new VictimRelocation(table, placer, winner, lost -> isJust(winner, lost));
    return new EvictionSearch<>(
            table.cluster(),
            QuotaPlacer.inShare(forWinner, table.quotas(), winner),
            winner.job(),
            Consolidation.LIMITS,
            rehousing)
        .fewest(ReclaimVictims.moving(table, winner, rules(winner), this::isSpared))
        .flatMap(rehousing::complete);
  }

  private boolean isJust(JobEntry winner, List<? extends EvictionSearch.Candidate> lost) {
    return without(winner, lost).isPresent();
  }

  /** Returns the rules after the losses; empty if a loss is not allowed. */
  private Optional<Reclaim> without(
      JobEntry winner, List<? extends EvictionSearch.Candidate> lost) {
    ResourceLoss losses = new ResourceLoss(table);
    Reclaim rules = rules(winner);
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

  /** Returns true if a job stays within its queue's share wherever it starts. */
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
            .map(plan -> preferMoves(winner, plan))
        : Optional.empty();
  }
}
