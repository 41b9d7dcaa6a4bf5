package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.queue.QueueStatus;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.phase.JobPhase;
import io.github.liquidscheduler.scheduler.quota.Charge;
import io.github.liquidscheduler.scheduler.quota.LeavingUsage;
import io.github.liquidscheduler.scheduler.quota.QueueAccount;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What jobs that are leaving still hold of the quotas of their queues. */
public record LeavingQuota(Quotas quotas, StoppingJobs stopping) {

  /** Returns usage and shares of a queue; empty if there is no such queue. */
  public Optional<QueueStatus> status(QueueName queue) {
    @Nullable QueueAccount account = quotas.hasQueueTree() ? quotas.books().find(queue) : null;
    if (account == null) {
      return Optional.empty();
    }
    quotas.books().divide();
    return Optional.of(account.status(usage(stopping.changing())));
  }

  private LeavingUsage usage(List<JobEntry> changing) {
    return new LeavingUsage(
        changing.stream().flatMap(job -> change(job, job.phase()).stream()).toList());
  }

  /**
   * Returns those who have to leave before a job holds what a phase promises it, by id: the given
   * ones and those who still hold quota that it takes.
   *
   * @param job the job, whose present placement is not counted by quotas
   */
  List<JobId> jobsToAwait(JobEntry job, JobPhase next, List<JobId> onDevices) {
    if (stopping.isEmpty() || !quotas.hasQueueTree() || !job.account().isLimited()) {
      return onDevices;
    }
    List<JobEntry> others = stopping.changing();
    others.remove(job);
    return usage(others)
        .jobsToAwait(change(job, next).orElseThrow(), quotas.charge(next.promised()));
  }

  /** Returns how what a job holds differs from what a phase promises it, as it holds now. */
  private Optional<LeavingUsage.Change> change(JobEntry job, JobPhase phase) {
    @Nullable QueueAccount account = job.account();
    if (phase instanceof JobPhase.Stopping stopping && stopping.queue().isPresent()) {
      account = quotas.books().find(stopping.queue().get());
    }
    if (account == null) {
      return Optional.empty();
    }
    Charge promised = quotas.charge(phase.promised());
    Charge now = quotas.charge(job.phase().held().orElse(null));
    Charge most = quotas.charge(phase.heldThen().orElse(null)).max(promised).max(now);
    return Optional.of(
        new LeavingUsage.Change(
            job.id(),
            account,
            most.without(promised),
            most.without(now),
            phase.after(),
            phase.leaving().isPresent() ? phase.notBefore().orElse(Instant.MAX) : Instant.MAX));
  }
}
