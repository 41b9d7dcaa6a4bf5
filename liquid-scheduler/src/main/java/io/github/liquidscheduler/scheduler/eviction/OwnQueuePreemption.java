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
 * Finds jobs of a waiting job's own queue without whom this keeps to its limits, and holds no more
 * than its share, or no more than before. Else other queues would take back at once what it has
 * just got.
 */
final class OwnQueuePreemption {

  private final JobTable table;
  private final Placer placer;
  private final Condition respectsUnlendable;
  private final ResourceLoss losses;

  /** What else has to hold once some have left. */
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
   * Returns who leaves for a job, and where it goes then; empty if nobody may.
   *
   * @param victims who may leave, in which order; asked for twice
   */
  Optional<EvictionPlan> find(
      JobEntry winner, Supplier<Iterator<? extends EvictionSearch.Candidate>> victims) {
    return mayEverHold(winner, victims.get()) ? search(winner, victims.get()) : Optional.empty();
  }

  /** Returns false if the queue may not hold the job though all leave, whatever room that makes. */
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
