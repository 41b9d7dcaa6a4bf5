package io.github.liquidscheduler.scheduler.start;

import io.github.liquidscheduler.placement.makeroom.LeavingSearch;
import io.github.liquidscheduler.placement.makeroom.MakeRoom;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.quota.Reclaim;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;

/**
 * Finds out who has to leave for a waiting job where queues are in a tree: first jobs of
 * {@linkplain ReclaimedJobs other queues}, if its own then holds no more than its share; else, if
 * the policy pre-empts, those of its own queue that come after it. Nobody leaves who has started in
 * the same turn.
 */
final class QueueEviction {

  private final JobTable table;
  private final Placer placer;
  private final Set<JobEntry> started;
  private boolean spared;

  /**
   * Makes a search.
   *
   * @param started who has started in this turn
   */
  QueueEviction(JobTable table, Placer placer, Set<JobEntry> started) {
    this.table = table;
    this.placer = placer;
    this.started = started;
  }

  /** Returns which jobs would make room for the job, or empty if none would. */
  Optional<LeavingSearch.Room<MakeRoom.Candidate>> find(JobEntry winner) {
    Optional<LeavingSearch.Room<MakeRoom.Candidate>> room = reclaim(winner);
    return room.isPresent() || !table.policy().preempts() ? room : preempt(winner);
  }

  /** Returns whether the search failed though somebody was there who has started in this turn. */
  boolean hasSpared() {
    return spared;
  }

  private Optional<LeavingSearch.Room<MakeRoom.Candidate>> reclaim(JobEntry winner) {
    Reclaim rules = table.quotas().reclaimFor(winner);
    return rules.isJust()
        ? search(
            winner,
            QuotaPlacer.inShare(placer, table.quotas(), winner),
            new ReclaimedJobs(table, winner, rules, this::isSpared))
        : Optional.empty();
  }

  private Optional<LeavingSearch.Room<MakeRoom.Candidate>> preempt(JobEntry winner) {
    long rank = table.preemptsAbove(winner);
    HelpfulNodes nodes = new HelpfulNodes(table.cluster(), winner.job());
    return search(
        winner,
        QuotaPlacer.of(placer, table.quotas(), winner),
        table
            .running()
            .preemptibleBeside(winner)
            .takeWhile(job -> job.rank() > rank)
            .filter(job -> nodes.touch(job) && !isSpared(job))
            .iterator());
  }

  private boolean isSpared(JobEntry job) {
    boolean isNew = started.contains(job);
    spared |= isNew;
    return isNew;
  }

  private Optional<LeavingSearch.Room<MakeRoom.Candidate>> search(
      JobEntry winner, Placer within, Iterator<JobEntry> victims) {
    return victims.hasNext()
        ? new MakeRoom<MakeRoom.Candidate>(
                table.cluster(), within, winner.job(), MakeRoom.Limits.NONE)
            .fewest(victims)
        : Optional.empty();
  }
}
