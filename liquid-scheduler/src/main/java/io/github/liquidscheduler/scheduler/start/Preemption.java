package io.github.liquidscheduler.scheduler.start;

import io.github.liquidscheduler.placement.makeroom.LeavingSearch;
import io.github.liquidscheduler.placement.makeroom.MakeRoom;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.Optional;

/**
 * Finds out which running jobs are pre-empted so that a waiting one fits. Only pre-emptible jobs of
 * strictly higher rank are, as they stand at this instant, so no two jobs can ever pre-empt each
 * other at one instant; the last in the order of the policy go first.
 */
final class Preemption {

  private final JobTable table;
  private final Placer placer;

  Preemption(JobTable table, Placer placer) {
    this.table = table;
    this.placer = placer;
  }

  /** Returns what would make room for the job, or empty if nothing would. */
  Optional<LeavingSearch.Room<JobEntry>> find(JobEntry winner) {
    MakeRoom<JobEntry> search =
        new MakeRoom<>(table.cluster(), placer, winner.job(), MakeRoom.Limits.NONE);
    return search.fewest(table.running().preemptibleAbove(table.preemptsAbove(winner)).iterator());
  }
}
