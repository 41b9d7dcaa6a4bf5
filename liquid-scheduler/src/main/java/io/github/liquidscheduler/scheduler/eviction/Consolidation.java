package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds running jobs to move so that a waiting one fits, if enough capacity is free but fragmented:
 * KAI-Scheduler's consolidation. No job stops: a plan is valid only if each moved job has a new
 * placement at once. Candidates come in eviction order. The waiting job must be pre-emptible, so
 * that it may move in its turn.
 */
final class Consolidation {

  // Beyond those that counting calls for.
  private static final int MOST_ASKED = 64;

  /** The limit of candidates. */
  static final EvictionSearch.Limits LIMITS =
      new EvictionSearch.Limits(Integer.MAX_VALUE, MOST_ASKED, Integer.MAX_VALUE, false);

  private final JobTable table;
  private final Placer placer;
  private final Placer forWinner;
  private final Set<JobEntry> spared;
  private final MoveBudget budget;
  private boolean hasSpared;

  /**
   * Makes a search.
   *
   * @param placer places moved jobs
   * @param forWinner places the waiting job
   * @param spared jobs that do not move, because they have just started or moved
   */
  Consolidation(JobTable table, Placer placer, Placer forWinner, Set<JobEntry> spared) {
    this.table = table;
    this.placer = placer;
    this.forWinner = forWinner;
    this.spared = spared;
    budget = new MoveBudget(table);
  }

  /** Returns the placement of the job and the moves that clear it; empty if there is none. */
  Optional<EvictionPlan> find(JobEntry winner) {
    return search(winner).filter(plan -> budget.pays(winner, plan.moves()));
  }

  private Optional<EvictionPlan> search(JobEntry winner) {
    if (budget.left() == 0
        || !winner.job().isPreemptible()
        || table.cluster().freeGpus() < leastGpus(winner)) {
      return Optional.empty();
    }
    HelpfulNodes nodes = new HelpfulNodes(table.cluster(), winner.job());
    Iterator<JobEntry> candidates =
        table
            .running()
            .preemptible()
            .filter(job -> VictimRelocation.isMovable(job) && nodes.touch(job) && !isSpared(job))
            .iterator();
    VictimRelocation rehousing = new VictimRelocation(table, placer, winner, List::isEmpty);
    return new EvictionSearch<>(
            table.cluster(),
            QuotaPlacer.of(forWinner, table.quotas(), winner),
            winner.job(),
            LIMITS,
            rehousing)
        .fewest(candidates)
        .flatMap(rehousing::complete);
  }

  /** Returns true if the search skipped a job that may move in a later turn. */
  boolean hasSpared() {
    return hasSpared;
  }

  private boolean isSpared(JobEntry job) {
    boolean isNew = spared.contains(job);
    hasSpared |= isNew;
    return isNew || budget.rests(job);
  }

  private static long leastGpus(JobEntry job) {
    long gpus = 0;
    for (TaskRole role : job.job().atLeastSize().roles()) {
      gpus += role.request().share().isPresent() ? 0 : (long) role.count() * role.request().gpus();
    }
    return gpus;
  }
}
