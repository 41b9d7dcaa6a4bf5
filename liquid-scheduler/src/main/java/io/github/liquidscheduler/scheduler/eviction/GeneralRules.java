package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.scheduler.elastic.Compaction;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
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

  GeneralRules(RuleContext context, Optional<Compaction> compaction) {
    this.context = context;
    table = context.table();
    winner = context.winner();
    this.compaction = compaction;
    budget = new MoveBudget(table);
  }

  /** Elastic jobs give up what they hold beyond their preferred sizes. */
  Optional<VictimRule> surplus() {
    return surplus(false);
  }

  /** If many jobs wait, elastic jobs give up what the sizing policy takes besides. */
  Optional<VictimRule> moreSurplus() {
    return surplus(true);
  }

  private Optional<VictimRule> surplus(boolean more) {
    return compaction
        .flatMap(source -> source.offered(winner, more))
        .map(units -> context.taking(units, context.forWinner(), null, EvictionPlan::of));
  }

  /**
   * Jobs move so that a job fits for which enough capacity is free but fragmented: KAI-Scheduler's
   * consolidation. Nobody stops. The waiting job must be pre-emptible, so that it may move in its
   * turn.
   */
  Optional<VictimRule> moves() {
    if (budget.left() == 0
        || !winner.job().isPreemptible()
        || table.cluster().freeGpus() < Compaction.leastGpus(winner.job())) {
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
   * Jobs of strictly higher rank stop, {@linkplain VictimsByHarm those first} that lose least of
   * equal ranks. Ranks are those of this instant, so that no two jobs pre-empt each other at one
   * time. Elastic jobs give up GPUs before any job stops; a job that starts in a turn therefore
   * takes no more than earlier ones could have, and none of them pre-empts it.
   */
  Optional<VictimRule> ranks() {
    Iterator<JobEntry> lastFirst =
        table
            .running()
            .preemptibleAbove(table.preemptsAbove(winner), job -> !context.spared().test(job));
    Iterator<JobEntry> victims = new VictimsByHarm(lastFirst, winner, table.now());
    if (!table.policy().preempts() || !victims.hasNext()) {
      return Optional.empty();
    }
    return Optional.of(
        context.taking(
            compaction.isEmpty() ? victims : afterSurplus(compaction.get(), victims),
            context.forWinner(),
            null,
            context.relocation(lost -> true)::preferMoves));
  }

  private Iterator<EvictionSearch.Candidate> afterSurplus(
      Compaction source, Iterator<JobEntry> victims) {
    List<EvictionSearch.Candidate> leaving = new ArrayList<>();
    source.besidesVictims(winner).forEach(leaving::add);
    victims.forEachRemaining(leaving::add);
    return leaving.iterator();
  }
}
