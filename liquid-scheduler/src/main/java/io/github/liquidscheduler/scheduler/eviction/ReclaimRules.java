package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.placement.eviction.LeavingSearch;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.Quotas;
import io.github.liquidscheduler.scheduler.quota.Charge;
import io.github.liquidscheduler.scheduler.quota.HypotheticalUsage;
import io.github.liquidscheduler.scheduler.quota.QueueAccount;
import io.github.liquidscheduler.scheduler.quota.Reclaim;
import io.github.liquidscheduler.scheduler.quota.ReplacementAdmission;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/*
 * Idea: other queues are asked first, if the winner's queue stays within its share, then later jobs
 * of its own queue. Candidates are counted by node before a search starts, and searches that cannot
 * succeed are skipped.
 * Invariants: a plan satisfies all quotas after its evictions; jobs that were placed at this instant
 * are spared. QueueLaws, GivingBackLaws, ElasticQueueLaws and QueuesTest.
 * Cost: counting O(siblings on the path to the root + nodes of uncached victims); then that of
 * EvictionSearch for each rule. QueueBench: a gang of 512 GPUs that reclaims its guarantee.
 * Source: KAI-Scheduler's actions reclaim, preempt and consolidation.
 */
/**
 * The rules of a queue tree with computed shares, or without reclaim. Elastic jobs shrink first;
 * movable jobs move if they fit elsewhere.
 */
final class ReclaimRules {

  private final RuleContext context;
  private final JobTable table;
  private final Quotas quotas;
  private final JobEntry winner;
  private final ResourceLoss losses;
  private final @Nullable ReclaimCandidates counted;
  // Found before a search removes jobs from the cluster.
  private @Nullable BitSet scarce;

  /**
   * Makes the rules for a job.
   *
   * @param counted the candidates, if they are counted before a search
   */
  ReclaimRules(RuleContext context, @Nullable ReclaimCandidates counted) {
    this.context = context;
    table = context.table();
    quotas = context.quotas();
    winner = context.winner();
    losses = new ResourceLoss(table);
    this.counted = counted;
  }

  /** Jobs below an ancestor at its limit stop, which the winner may replace. */
  Optional<VictimRule> belowLimit() {
    return mayReclaim() && quotas.admission().isBlockedByParentLimit(winner)
        ? Optional.of(
            context.taking(
                victims(rules(false), any -> null).everywhere(true),
                context.reach(false, this::isInShare),
                this::keepsLimits,
                found -> EvictionPlan.of(losses.byJob(found))))
        : Optional.empty();
  }

  /** Jobs of other queues stop, from the queue with the largest usage relative to its due. */
  Optional<VictimRule> worstFirst() {
    if (!mayReclaim() || !known(false).mayHelp()) {
      return Optional.empty();
    }
    Reclaim rules = rules(false);
    boolean anywhere = quotas.guaranteesUnlendableQuota();
    ReclaimVictims victims = victims(rules, anywhere ? any -> null : knownLosses(rules, false));
    return Optional.of(taking(victims.everywhere(anywhere), true, leavesUnlendable()));
  }

  /**
   * The same nearest first: losses beside the winner's branch make other queues owe it the rest.
   */
  Optional<VictimRule> nearestFirst() {
    if (!mayReclaim()
        || !winner.account().isPart()
        || !known(false).areNear()
        || !known(true).mayHelp()) {
      return Optional.empty();
    }
    Reclaim rules = rules(true);
    JudgedLosses<EvictionSearch.Candidate> judged = judged();
    return Optional.of(
        taking(
            victims(rules, knownLosses(rules, true)).nearestFirst(),
            true,
            new VictimRule.QuotaCondition(
                (placement, lost) ->
                    judged.areAllowed(losses.units(lost)) && respectsUnlendable(placement, lost))));
  }

  /** Jobs of other queues move; those without a new placement stop, as far as the rules allow. */
  Optional<VictimRule> byMoving() {
    return mayReclaim() && table.preemption().mostMoves() > 0
        ? Optional.of(
            context.moving(
                ReclaimVictims.moving(table, winner, context.spared(), rules(true)),
                context.reach(
                    true,
                    placement ->
                        isInShare(placement) && quotas.admission().admits(winner, placement)),
                lost -> judged().areAllowed(losses.units(lost)),
                plan -> true))
        : Optional.empty();
  }

  /** Later jobs of the winner's own queue stop, if the policy pre-empts. */
  Optional<VictimRule> ownQueue() {
    if (!table.mayPreempt(winner) || (counted != null && isKnownToLack())) {
      return Optional.empty();
    }
    if (!staysWithinShare()) {
      return replacement();
    }
    HelpfulNodes nodes = context.helpfulNodes();
    boolean anywhere = quotas.guaranteesUnlendableQuota();
    return Optional.of(
        taking(ofOwnQueue(job -> anywhere || nodes.touch(job)), false, leavesUnlendable()));
  }

  /** Later jobs of the winner's own queue stop, which it replaces below a limit. */
  Optional<VictimRule> ownBelowLimit() {
    return table.mayPreempt(winner) && quotas.admission().isBlockedByLimit(winner)
        ? replacement()
        : Optional.empty();
  }

  /**
   * Limits hold afterwards, and usage stays within the share or does not grow. Otherwise other
   * queues would reclaim the gain at once.
   */
  private Optional<VictimRule> replacement() {
    if (!mayEverReplace()) {
      return Optional.empty();
    }
    ReplacementAdmission out = quotas.admission().replacement(winner);
    return Optional.of(
        context.taking(
            losses.counted(ofOwnQueue(job -> true), out::hold),
            context.reach(false, placement -> out.isAllowed(charge(placement))),
            new VictimRule.QuotaCondition(
                (placement, lost) ->
                    mayReplace(placement, lost) && respectsUnlendable(placement, lost)),
            found -> EvictionPlan.of(losses.byJob(found))));
  }

  /** Returns false if the queue could not admit the job even if all candidates left. */
  private boolean mayEverReplace() {
    Iterator<? extends EvictionSearch.Candidate> victims = ofOwnQueue(job -> true);
    if (!victims.hasNext() || quotas.admission().dependsOnModels(winner)) {
      return victims.hasNext();
    }
    ReplacementAdmission instead = quotas.admission().replacement(winner);
    while (!instead.isAllowed(quotas.charge(winner))) {
      if (!victims.hasNext()) {
        return false;
      }
      instead.hold(winner.account(), losses.charge(victims.next()), -1);
    }
    return true;
  }

  private boolean mayReplace(Placement placement, List<EvictionSearch.Candidate> lost) {
    ReplacementAdmission instead = quotas.admission().replacement(winner);
    lost.forEach(unit -> instead.hold(winner.account(), losses.charge(unit), -1));
    return instead.isAllowed(charge(placement));
  }

  /** Returns a rule under which other queues lose no unlendable quota. */
  private VictimRule taking(
      Iterator<? extends EvictionSearch.Candidate> candidates,
      boolean inShare,
      VictimRule.@Nullable QuotaCondition afterwards) {
    HypotheticalUsage now = HypotheticalUsage.toAdmit();
    Placer reach =
        context.reach(
            !quotas.guaranteesUnlendableQuota(),
            placement ->
                (!inShare || isInShare(placement))
                    && quotas.admission().admitsBesideUnlendable(winner, placement, now, true));
    return context.taking(candidates, reach, afterwards, found -> preferMoves(losses.byJob(found)));
  }

  /** Moves victims that fit elsewhere, unless their quota must be released. */
  private EvictionPlan preferMoves(LeavingSearch.Result<EvictionSearch.Candidate> found) {
    return quotas.guaranteesUnlendableQuota()
        ? EvictionPlan.of(found)
        : context.relocation(lost -> true).preferMoves(found);
  }

  private VictimRule.@Nullable QuotaCondition leavesUnlendable() {
    return quotas.guaranteesUnlendableQuota()
        ? new VictimRule.QuotaCondition(this::respectsUnlendable)
        : null;
  }

  /** Returns true if the job takes no unlendable quota of others after the evictions. */
  private boolean respectsUnlendable(Placement placement, List<EvictionSearch.Candidate> lost) {
    return !quotas.guaranteesUnlendableQuota()
        || quotas.admission().respectsUnlendable(winner, placement, losses.without(lost));
  }

  private boolean keepsLimits(Placement placement, List<EvictionSearch.Candidate> lost) {
    JudgedLosses<EvictionSearch.Candidate> judged = judged();
    return judged.areAllowed(losses.units(lost)) && judged.rules().keepsLimits(charge(placement));
  }

  private JudgedLosses<EvictionSearch.Candidate> judged() {
    return new JudgedLosses<>(
        rules(true), unit -> ResourceLoss.job(unit).account(), losses::charge);
  }

  private boolean mayReclaim() {
    boolean mayReclaim = quotas.admission().mayTakeBack(winner);
    if (mayReclaim && scarce == null) {
      scarce = ShortResources.of(table, winner);
    }
    return mayReclaim;
  }

  /**
   * Returns the rules, by which a job {@linkplain #mayReclaim may reclaim}.
   *
   * @param countsLosses whether a loss of one donor grants a right beyond another
   */
  private Reclaim rules(boolean countsLosses) {
    Reclaim rules = quotas.admission().reclaimFor(winner, Objects.requireNonNull(scarce));
    return countsLosses ? rules : rules.withoutRightsFromLosses();
  }

  private ReclaimVictims victims(
      Reclaim rules, Function<QueueAccount, @Nullable List<EvictionSearch.Candidate>> known) {
    return ReclaimVictims.stopping(table, winner, context.spared(), rules, known);
  }

  /** Returns the counted answer about the candidates, if capacity alone decides. */
  private ReclaimCandidates.Answer known(boolean nearestFirst) {
    if (counted == null || !isCapacityLacking()) {
      return ReclaimCandidates.Answer.NONE;
    }
    ReclaimCandidates.Answer known = counted.ask(winner, rules(nearestFirst), nearestFirst);
    context.spared().meet(known.hasSpared());
    return known;
  }

  /** Returns the cached losses of queues to the job. */
  private Function<QueueAccount, @Nullable List<EvictionSearch.Candidate>> knownLosses(
      Reclaim rules, boolean nearestFirst) {
    return counted != null && isCapacityLacking()
        ? counted.knownLosses(winner, rules, nearestFirst)
        : any -> null;
  }

  private boolean isCapacityLacking() {
    return quotas.admission().dependsOnlyOnCapacity(winner)
        && winner.job().sharing() instanceof Sharing.Exclusive;
  }

  /** Returns true if the job lacks capacity even if all later jobs of its own queue stop. */
  private boolean isKnownToLack() {
    return winner.shortage().task(winner) != null;
  }

  /** Returns true if the job stays within its queue's share wherever it starts. */
  private boolean staysWithinShare() {
    return quotas.reclaiming() == Reclaiming.NEVER
        || (quotas.admission().mayReclaim(winner) && !winner.job().parallelism().isElastic());
  }

  private Iterator<? extends EvictionSearch.Candidate> ofOwnQueue(Predicate<JobEntry> helps) {
    Iterator<JobEntry> lastFirst =
        table
            .victimsBeside(winner)
            .filter(job -> helps.test(job) && !context.spared().test(job))
            .iterator();
    return losses.of(lastFirst);
  }

  private boolean isInShare(Placement placement) {
    return winner.account().isInShare(charge(placement));
  }

  private Charge charge(Placement placement) {
    return quotas.charge(placement);
  }
}
