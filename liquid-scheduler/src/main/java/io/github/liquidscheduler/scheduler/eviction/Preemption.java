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
 * The search for victims of strictly higher rank than a waiting job, last in policy order first.
 * Ranks are those of this instant, so that no two jobs pre-empt each other at one time. Elastic
 * jobs give up GPUs before any job is pre-empted; a job that starts in a turn therefore takes no
 * more than earlier ones could have, and none of them pre-empts it.
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
   * @param compaction the source of surplus GPUs, if sizes change
   * @param spared jobs that are not pre-empted, because they started or moved in this turn: where
   *     jobs move, a job of higher rank may be tried again after it
   */
  public Preemption(
      JobTable table, Placer placer, Optional<Compaction> compaction, Set<JobEntry> spared) {
    this.table = table;
    this.placer = placer;
    this.compaction = compaction;
    this.spared = spared;
  }

  /**
   * Returns the victims, and the {@linkplain Surplus surplus} of elastic jobs, that free a
   * placement; empty if there is none.
   */
  public Optional<LeavingSearch.Result<EvictionSearch.Candidate>> find(JobEntry winner) {
    Iterator<JobEntry> victims =
        table.running().preemptibleAbove(table.preemptsAbove(winner), job -> !isSpared(job));
    return victims.hasNext() ? search(winner).fewest(leaving(winner, victims)) : Optional.empty();
  }

  /** Returns true if the search skipped a job that may be pre-empted in a later turn. */
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
