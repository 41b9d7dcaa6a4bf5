package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.scheduler.elastic.Compaction;
import io.github.liquidscheduler.scheduler.elastic.Surplus;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.quota.HypotheticalUsage;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** The rules of surplus and moves, and that of ranks where there is no queue tree. */
final class GeneralRules {

  private final RuleContext context;
  private final JobTable table;
  private final JobEntry winner;
  private final Optional<Compaction> compaction;
  private final MoveBudget budget;
  private final ResourceLoss losses;

  GeneralRules(RuleContext context, Optional<Compaction> compaction) {
    this.context = context;
    table = context.table();
    winner = context.winner();
    this.compaction = compaction;
    budget = new MoveBudget(table);
    losses = new ResourceLoss(table);
  }

  /** Returns true if surplus is given up for more than the least size of the job. */
  boolean mayStartLarger() {
    return compaction.filter(source -> source.mayStartLarger(winner)).isPresent();
  }

  /**
   * Elastic jobs give up what they hold beyond their preferred sizes.
   *
   * @param sized the job at the sizes at which it may start
   */
  Optional<VictimRule> surplus(JobSpec sized) {
    return surplus(sized, false);
  }

  /** If many jobs wait, elastic jobs give up what the sizing policy takes besides. */
  Optional<VictimRule> moreSurplus() {
    return surplus(winner.job(), true);
  }

  private Optional<VictimRule> surplus(JobSpec sized, boolean more) {
    return compaction
        .flatMap(source -> source.offered(winner, sized, more, context.spared()))
        .map(units -> context.quotas().hasQueueTree() ? withinQuotas(units) : anywhere(units))
        .map(rule -> rule.at(sized));
  }

  private VictimRule anywhere(Iterator<Surplus> units) {
    return context.taking(
        units, context.forWinner(), null, found -> EvictionPlan.of(losses.byJob(found)));
  }

  /** Surplus of any queue: the quotas that it releases count. */
  private VictimRule withinQuotas(Iterator<Surplus> units) {
    HypotheticalUsage use = HypotheticalUsage.toAdmit();
    return context.taking(
        losses.counted(units, use::hold),
        context.reach(
            false,
            placement ->
                context.quotas().admission().admitsBesideUnlendable(winner, placement, use, true)),
        new VictimRule.QuotaCondition(
            (placement, lost) ->
                context.quotas().admission().admits(winner, placement, losses.without(lost))),
        found -> EvictionPlan.of(losses.byJob(found)));
  }

  /** Returns the GPUs that are free, or may be once those that share them have moved together. */
  private long mostFreeGpus() {
    return (long) table.cluster().freeGpus() + table.cluster().shared().size();
  }

  /**
   * Jobs move so that a job fits for which enough capacity is free but fragmented: KAI-Scheduler's
   * consolidation. Nobody stops. The waiting job must be pre-emptible, so that it may move in its
   * turn.
   */
  Optional<VictimRule> moves() {
    if (budget.left() == 0
        || !winner.job().isPreemptible()
        || mostFreeGpus() < Compaction.leastGpus(winner.job())) {
      return Optional.empty();
    }
    HelpfulNodes nodes = context.helpfulNodes();
    Iterator<JobEntry> candidates =
        table
            .running()
            .preemptible()
            .filter(job -> VictimRelocation.isMovable(job) && nodes.touch(job))
            .filter(job -> !context.spared().test(job) && !budget.rests(job))
            .iterator();
    return Optional.of(
        context.moving(
            candidates,
            QuotaPlacer.of(context.forWinner(), context.quotas(), winner),
            List::isEmpty,
            plan -> budget.pays(winner, plan.moves())));
  }

  /**
   * Jobs of strictly higher rank stop, for a promised job all that are not promised, {@linkplain
   * VictimsByHarm those first} that lose least of equal ranks. Ranks are those of this instant, so
   * that no two jobs pre-empt each other at one time. Elastic jobs get smaller before any job of
   * their rank stops, and surplus comes first; a job that starts in a turn therefore takes no more
   * than earlier ones could have, and none of them pre-empts it.
   */
  Optional<VictimRule> ranks() {
    Iterator<JobEntry> lastFirst = table.victimsOf(winner, job -> !context.spared().test(job));
    Iterator<JobEntry> victims =
        new VictimsByHarm(lastFirst, winner.job().atLeastSize(), table.cluster(), table.now());
    if (!table.mayPreempt(winner) || !victims.hasNext()) {
      return Optional.empty();
    }
    return Optional.of(
        context.taking(
            afterSurplus(losses.of(victims)),
            context.forWinner(),
            null,
            found -> context.relocation(lost -> true).preferMoves(losses.byJob(found))));
  }

  private Iterator<? extends EvictionSearch.Candidate> afterSurplus(
      Iterator<? extends EvictionSearch.Candidate> victims) {
    if (compaction.isEmpty()) {
      return victims;
    }
    List<EvictionSearch.Candidate> leaving = new ArrayList<>();
    compaction.get().besidesVictims(winner, context.spared()).forEach(leaving::add);
    victims.forEachRemaining(leaving::add);
    return leaving.iterator();
  }
}
