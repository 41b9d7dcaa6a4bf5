package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.placement.eviction.LeavingSearch;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.quota.Charge;
import io.github.liquidscheduler.scheduler.quota.ReplacementAdmission;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The search for victims in the waiting job's own queue: limits hold afterwards, and usage stays
 * within the share or does not grow. Otherwise other queues would reclaim the gain at once.
 */
final class OwnQueuePreemption {

  private final JobTable table;
  private final Placer placer;
  private final Condition respectsUnlendable;
  private final ResourceLoss losses;

  /** An additional condition after the evictions. */
  @FunctionalInterface
  interface Condition {
    boolean holds(JobEntry winner, Placement placement, List<EvictionSearch.Candidate> lost);
  }

  OwnQueuePreemption(JobTable table, Placer placer, Condition respectsUnlendable) {
    this.table = table;
    this.placer = placer;
    this.respectsUnlendable = respectsUnlendable;
    losses = new ResourceLoss(table);
  }

  /**
   * Returns the eviction plan for a job; empty if there is none.
   *
   * @param victims the candidates, in order; requested twice
   */
  Optional<EvictionPlan> find(
      JobEntry winner, Supplier<Iterator<? extends EvictionSearch.Candidate>> victims) {
    return mayEverHold(winner, victims.get()) ? search(winner, victims.get()) : Optional.empty();
  }

  /** Returns false if the queue could not admit the job even if all candidates left. */
  private boolean mayEverHold(
      JobEntry winner, Iterator<? extends EvictionSearch.Candidate> victims) {
    if (!victims.hasNext() || table.quotas().dependsOnModels(winner)) {
      return victims.hasNext();
    }
    ReplacementAdmission instead = table.quotas().leastReplacement(winner);
    while (!instead.isAllowed()) {
      if (!victims.hasNext()) {
        return false;
      }
      instead.lose(losses.charge(victims.next()));
    }
    return true;
  }

  private Optional<EvictionPlan> search(
      JobEntry winner, Iterator<? extends EvictionSearch.Candidate> victims) {
    RemovedCharges counted = new RemovedCharges(losses);
    return new EvictionSearch<RemovedCharges.Counted>(
            table.cluster(),
            QuotaPlacer.instead(placer, table.quotas(), winner, counted.out()),
            winner.job(),
            EvictionSearch.Limits.NONE,
            QuotaCondition.of(
                (placement, lost) ->
                    mayHold(winner, placement, lost)
                        && respectsUnlendable.holds(winner, placement, candidates(lost))))
        .fewest(counted.counting(victims))
        .map(
            plan ->
                new LeavingSearch.Result<>(
                    plan.placement(), losses.byJob(candidates(plan.leaving()))))
        .map(EvictionPlan::of);
  }

  private boolean mayHold(JobEntry winner, Placement placement, List<RemovedCharges.Counted> lost) {
    List<Charge> charges = lost.stream().map(RemovedCharges.Counted::charge).toList();
    return table.quotas().admitsReplacement(winner, placement, table.cluster().topology(), charges);
  }

  private static List<EvictionSearch.Candidate> candidates(List<RemovedCharges.Counted> lost) {
    return lost.stream().map(RemovedCharges.Counted::candidate).toList();
  }
}
