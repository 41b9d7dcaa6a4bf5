package io.github.liquidscheduler.scheduler.window;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduler.queue.BatchedJobs;
import io.github.liquidscheduler.scheduler.queue.BatchedJobs.Membership;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.WindowPhase;
import io.github.liquidscheduler.scheduling.WindowRecord;
import java.util.List;
import java.util.Optional;

/** What a snapshot holds of a batch window. */
public final class WindowRecords {

  private WindowRecords() {}

  public static WindowRecord of(JobTable table) {
    BatchedJobs batched = table.batched();
    Parked parked = new Parked(table);
    return new WindowRecord(
        batched.requests(),
        batched.phase().openedAt(),
        batched.phase() instanceof WindowPhase.Awaiting awaiting
            ? Optional.of(awaiting.requestedAt())
            : Optional.empty(),
        ids(parked.in(Membership.ENTERED)),
        ids(parked.in(Membership.REQUESTED)),
        table.eligible().ids());
  }

  /** Goes on where {@code record} was made; the waiting jobs are in the table already, parked. */
  public static void restore(WindowRecord record, JobTable table) {
    BatchedJobs batched = table.batched();
    batched.restore(record.requests(), WindowPhase.of(record.openedAt(), record.requestedAt()));
    record.entered().forEach(job -> batched.put(table.get(job), Membership.ENTERED));
    record.requested().forEach(job -> batched.put(table.get(job), Membership.REQUESTED));
    record.immediate().forEach(job -> table.makeEligible(table.get(job)));
  }

  private static List<JobId> ids(List<JobEntry> jobs) {
    return jobs.stream().map(JobEntry::id).toList();
  }
}
