package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.placement.eviction.LeavingSearch;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.quota.Charge;
import io.github.liquidscheduler.scheduler.quota.HeldInstead;
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
final class PreemptionInstead {

  private final JobTable table;
  private final Placer placer;
  private final Condition leavesWhatIsNotLent;
  private final Losses losses;

  /** What else has to hold once some have left. */
  @FunctionalInterface
  interface Condition {
    boolean holds(JobEntry winner, Placement placement, List<EvictionSearch.Candidate> lost);
  }

  PreemptionInstead(JobTable table, Placer placer, Condition leavesWhatIsNotLent) {
    this.table = table;
    this.placer = placer;
    this.leavesWhatIsNotLent = leavesWhatIsNotLent;
    losses = new Losses(table);
  }

  /**
   * Returns who leaves for a job, and where it goes then; empty if nobody may.
   *
   * @param victims who may leave, in which order; asked for twice
   */
  Optional<MadeRoom> find(
      JobEntry winner, Supplier<Iterator<? extends EvictionSearch.Candidate>> victims) {
    return mayEverHold(winner, victims.get()) ? search(winner, victims.get()) : Optional.empty();
  }

  /** Returns false if the queue may not hold the job though all leave, whatever room that makes. */
  private boolean mayEverHold(
      JobEntry winner, Iterator<? extends EvictionSearch.Candidate> victims) {
    if (!victims.hasNext() || table.quotas().dependsOnModels(winner)) {
      return victims.hasNext();
    }
    HeldInstead instead = table.quotas().leastInstead(winner);
    while (!instead.isAllowed()) {
      if (!victims.hasNext()) {
        return false;
      }
      instead.lose(losses.charge(victims.next()));
    }
    return true;
  }

  private Optional<MadeRoom> search(
      JobEntry winner, Iterator<? extends EvictionSearch.Candidate> victims) {
    CountedLosses counted = new CountedLosses(losses);
    return new EvictionSearch<CountedLosses.Counted>(
            table.cluster(),
            QuotaPlacer.instead(placer, table.quotas(), winner, counted.out()),
            winner.job(),
            EvictionSearch.Limits.NONE,
            RoomCondition.of(
                (placement, lost) ->
                    mayHold(winner, placement, lost)
                        && leavesWhatIsNotLent.holds(winner, placement, candidates(lost))))
        .fewest(counted.counting(victims))
        .map(
            room ->
                new LeavingSearch.Result<>(
                    room.placement(), losses.byJob(candidates(room.leaving()))))
        .map(MadeRoom::of);
  }

  private boolean mayHold(JobEntry winner, Placement placement, List<CountedLosses.Counted> lost) {
    List<Charge> charges = lost.stream().map(CountedLosses.Counted::charge).toList();
    return table.quotas().mayHoldInstead(winner, placement, table.cluster().topology(), charges);
  }

  private static List<EvictionSearch.Candidate> candidates(List<CountedLosses.Counted> lost) {
    return lost.stream().map(CountedLosses.Counted::candidate).toList();
  }
}
