package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.placement.eviction.LeavingSearch;
import io.github.liquidscheduler.scheduler.elastic.Compaction;
import io.github.liquidscheduler.scheduler.elastic.Surplus;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds out which running jobs are pre-empted so that a waiting one fits. Only pre-emptible jobs of
 * strictly higher rank are, as they stand at this instant, so no two jobs can ever pre-empt each
 * other at one instant; the last in the order of the policy go first. Where sizes change, others
 * give up GPUs before anybody is pre-empted; so whoever starts in a turn takes no more than all
 * could have had who came before it in the turn, and none of them pre-empts it.
 */
public final class Preemption {

  private final JobTable table;
  private final Placer placer;
  private final Optional<Compaction> compaction;
  private final Set<JobEntry> spared;
  private boolean hasSpared;

  /**
   * Makes a search.
   *
   * @param compaction who gives up GPUs, if sizes change
   * @param spared who is not pre-empted, since it has started or moved in this turn: where jobs
   *     move, one of a higher rank may be tried anew after it
   */
  public Preemption(
      JobTable table, Placer placer, Optional<Compaction> compaction, Set<JobEntry> spared) {
    this.table = table;
    this.placer = placer;
    this.compaction = compaction;
    this.spared = spared;
  }

  /**
   * Returns which jobs, and what {@linkplain Surplus surplus} of others, would make room for the
   * job, or empty if nothing would.
   */
  public Optional<LeavingSearch.Result<EvictionSearch.Candidate>> find(JobEntry winner) {
    Iterator<JobEntry> victims =
        table.running().preemptibleAbove(table.preemptsAbove(winner), job -> !isSpared(job));
    return victims.hasNext() ? search(winner).fewest(leaving(winner, victims)) : Optional.empty();
  }

  /** Returns true if somebody was asked who may be pre-empted in a later turn only. */
  public boolean hasSpared() {
    return hasSpared;
  }

  private boolean isSpared(JobEntry job) {
    boolean isNew = !spared.isEmpty() && spared.contains(job);
    hasSpared |= isNew;
    return isNew;
  }

  private EvictionSearch<EvictionSearch.Candidate> search(JobEntry winner) {
    return new EvictionSearch<>(table.cluster(), placer, winner.job(), EvictionSearch.Limits.NONE);
  }

  private Iterator<? extends EvictionSearch.Candidate> leaving(
      JobEntry winner, Iterator<JobEntry> victims) {
    if (compaction.isEmpty()) {
      return victims;
    }
    List<EvictionSearch.Candidate> leaving = new ArrayList<>();
    compaction.get().besidesVictims(winner).forEach(leaving::add);
    victims.forEachRemaining(leaving::add);
    return leaving.iterator();
  }
}
