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
 * Finds out which running jobs go on elsewhere so that a waiting one fits, where enough is free in
 * all, though not together (KAI-Scheduler's consolidation). Nobody loses anything: a room is taken
 * only if each who is in the way gets another place at once. Jobs are asked in the order in which
 * they would be stopped. The waiting job has to be pre-emptible, so that it may make way in its
 * turn.
 */
public final class Consolidation {

  // Beyond those that counting calls for.
  private static final int MOST_ASKED = 64;

  /** How many are asked to move. */
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
   * @param placer finds places for those who move
   * @param forWinner finds the place that is cleared
   * @param spared who does not move, since it has just started or moved
   */
  public Consolidation(JobTable table, Placer placer, Placer forWinner, Set<JobEntry> spared) {
    this.table = table;
    this.placer = placer;
    this.forWinner = forWinner;
    this.spared = spared;
    budget = new MoveBudget(table);
  }

  /** Returns where the job fits once others have moved, and where to, if that is possible. */
  public Optional<EvictionPlan> find(JobEntry winner) {
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
    VictimRelocation rehousing = new VictimRelocation(table, placer, List::isEmpty);
    return new EvictionSearch<>(
            table.cluster(),
            QuotaPlacer.of(forWinner, table.quotas(), winner),
            winner.job(),
            LIMITS,
            rehousing)
        .fewest(candidates)
        .flatMap(rehousing::complete);
  }

  /** Returns true if somebody was asked who may move in a later turn only. */
  public boolean hasSpared() {
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
