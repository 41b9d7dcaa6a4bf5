package io.github.liquidscheduler.scheduler.state;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.Quotas;
import io.github.liquidscheduler.scheduler.queue.UnfinishedPass;
import io.github.liquidscheduler.scheduling.SnapshotSection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The waiting jobs of a queue tree with a failed search for victims. Saved where passes stop early,
 * so that a restored scheduler stops at the same point; otherwise every job is tried once after a
 * restore.
 */
final class KnownToFail {

  private KnownToFail() {}

  static Optional<SnapshotSection> save(JobTable jobs) {
    Quotas quotas = jobs.quotas();
    if (!quotas.hasQueueTree() || !quotas.areSettled() || !jobs.changes().mayStopEarly()) {
      return Optional.empty();
    }
    SnapshotSection.Builder section =
        SnapshotSection.builder()
            .put("changed", quotas.haveChanged())
            .texts("failed", firsts(jobs, quotas::isKnownToFail))
            .texts("exceeding", firsts(jobs, job -> job.shortage().isExceeding()))
            .texts("mayStartNext", OpenPass.firstsOf(quotas.mayStartNext(), jobs));
    @Nullable UnfinishedPass pass = jobs.changes().unfinished();
    if (pass != null) {
      section.put("pass", OpenPass.save(pass, jobs));
    }
    return Optional.of(section.build());
  }

  private static List<JobId> firsts(JobTable jobs, Predicate<JobEntry> filter) {
    return jobs.eligible().byClass().firsts().stream()
        .filter(filter)
        .map(JobEntry::id)
        .sorted()
        .toList();
  }

  static void load(SnapshotSection.Reader in, JobTable jobs) {
    Quotas quotas = jobs.quotas();
    quotas.restoreSettled(in.value("changed", Boolean.class));
    OpenPass.jobs(in, "failed", jobs).forEach(quotas::noteFailure);
    OpenPass.jobs(in, "exceeding", jobs).forEach(job -> job.shortage().exceed(true));
    OpenPass.classes(in, "mayStartNext", jobs).forEach(quotas::noteMayStartNext);
    Optional<SnapshotSection> pass = in.optional("pass", SnapshotSection.class);
    if (pass.isPresent()) {
      UnfinishedPass goesOn = pass.get().read(each -> OpenPass.load(each, jobs));
      jobs.changes().leaveUnfinished(goesOn);
    }
  }
}
