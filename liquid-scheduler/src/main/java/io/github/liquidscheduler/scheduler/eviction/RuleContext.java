package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.placement.eviction.LeavingSearch;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.Quotas;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The job for which others give way, with all that its rules have in common.
 *
 * @param table the jobs
 * @param winner the waiting job
 * @param placer places moved jobs
 * @param forWinner places the waiting job
 * @param spared the jobs that give nothing at this instant
 */
record RuleContext(
    JobTable table, JobEntry winner, Placer placer, Placer forWinner, SparedJobs spared) {

  // Beyond those that counting calls for.
  private static final int MOST_MOVES_ASKED = 64;

  Quotas quotas() {
    return table.quotas();
  }

  ClusterState cluster() {
    return table.cluster();
  }

  /** Returns the nodes on which released capacity may be of use to the job. */
  HelpfulNodes helpfulNodes() {
    return new HelpfulNodes(cluster(), winner.job());
  }

  /** Returns the places of the job that the quotas admit. */
  Placer reach(boolean isLive, Predicate<Placement> admission) {
    return QuotaPlacer.within(forWinner, quotas(), winner, isLive, admission);
  }

  /** Returns the search for new placements of jobs that leave. */
  VictimRelocation relocation(Predicate<List<JobEntry>> mayLose) {
    return new VictimRelocation(table, placer, winner, mayLose);
  }

  /** Returns a rule under which units are lost. */
  VictimRule taking(
      Iterator<? extends EvictionSearch.Candidate> candidates,
      Placer reach,
      EvictionSearch.@Nullable Acceptance<EvictionSearch.Candidate> afterwards,
      Function<LeavingSearch.Result<EvictionSearch.Candidate>, EvictionPlan> plan) {
    return new VictimRule(
        candidates,
        winner.job(),
        reach,
        EvictionSearch.Limits.NONE,
        afterwards,
        found -> Optional.of(plan.apply(found)));
  }

  /**
   * Returns a rule under which jobs move.
   *
   * @param mayLose whether those without a new placement may leave
   */
  VictimRule moving(
      Iterator<? extends EvictionSearch.Candidate> candidates,
      Placer reach,
      Predicate<List<JobEntry>> mayLose,
      Predicate<EvictionPlan> pays) {
    VictimRelocation relocation = relocation(mayLose);
    return new VictimRule(
        candidates,
        winner.job(),
        reach,
        VictimRule.atMost(MOST_MOVES_ASKED),
        relocation,
        found -> relocation.complete(found).filter(pays));
  }
}
