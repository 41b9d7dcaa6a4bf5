package io.github.liquidscheduler.scheduler.start;

import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.PlacementClass;
import io.github.liquidscheduler.scheduler.queue.Quotas;
import io.github.liquidscheduler.scheduler.queue.WaitingClasses;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Finds waiting jobs that a change in quota usage or shares may unblock: jobs blocked by a quota,
 * and jobs that may reclaim. Valid for one pass.
 */
final class QuotaRetries {

  private final JobTable table;
  private final Quotas quotas;
  private final SchedulingPolicy policy;
  private final boolean remembersFailures;
  private final Consumer<JobEntry> retry;
  private final List<JobEntry> failedUnderQuotas = new ArrayList<>();

  /**
   * Makes the filter.
   *
   * @param remembersFailures whether failed searches for victims are remembered
   * @param retry schedules the first job of a class although it is known to fail
   */
  QuotaRetries(JobTable table, boolean remembersFailures, Consumer<JobEntry> retry) {
    this.table = table;
    this.remembersFailures = remembersFailures;
    this.retry = retry;
    quotas = table.quotas();
    policy = table.policy();
  }

  /** Returns the jobs that were skipped, because they fail under the present quota usage. */
  List<JobEntry> failedUnderQuotas() {
    return List.copyOf(failedUnderQuotas);
  }

  /** Adds skipped jobs. */
  void addFailedUnderQuotas(Collection<JobEntry> jobs) {
    failedUnderQuotas.addAll(jobs);
  }

  /**
   * Retries the jobs that a quota change may unblock; returns true if there was a change since the
   * last call.
   */
  boolean addAll() {
    if (!quotas.hasQueueTree() || !quotas.haveChanged()) {
      return false;
    }
    boolean areKnown = quotas.areSettled();
    Set<PlacementClass> mayStartNow = quotas.takeMayStartNext();
    quotas.settle();
    quotas.releaseReservations();
    failedUnderQuotas.clear();
    for (WaitingClasses.OfQueue queue : table.eligible().byClass().byQueue()) {
      if (!areKnown || !remembersFailures || !queue.isQuiet()) {
        boolean isQuiet = remembersFailures;
        for (JobEntry job : queue.jobs()) {
          isQuiet &= !addIfQuotasHelp(job, areKnown, mayStartNow) && !noteIfDependsOnOthers(job);
        }
        queue.noteQuiet(isQuiet);
      }
    }
    return true;
  }

  /** Retries the first job of a class if a quota change may help it; returns true if it does. */
  private boolean addIfQuotasHelp(JobEntry job, boolean areKnown, Set<PlacementClass> mayStartNow) {
    boolean exceeds = quotas.excess(job).isPresent() && !quotas.lendsQuota();
    boolean exceeded = job.shortage().exceed(exceeds);
    boolean mayHelp =
        exceeds
            ? mayEvictBelowLimit(job)
            : !areKnown
                || exceeded
                || (remembersFailures
                    ? quotas.mayHelpSince(job, policy.preempts())
                    : quotas.dependsOnOthers(job) || policy.preempts())
                || table.preemption().mostMoves() > 0
                || mayStartNow.contains(job.placementClass());
    if (mayHelp) {
      retry.accept(job);
    }
    return mayHelp;
  }

  /** Notes a job that fails under the present quota usage; returns true if it is one. */
  private boolean noteIfDependsOnOthers(JobEntry job) {
    boolean dependsOnOthers = quotas.dependsOnOthers(job);
    if (dependsOnOthers) {
      failedUnderQuotas.add(job);
    }
    return dependsOnOthers;
  }

  /**
   * Retries the jobs whose quota was freed by evictions in this pass, on any node: they come before
   * later jobs that fit now.
   */
  void addNoLongerBlocked() {
    for (WaitingClasses.OfQueue queue : table.eligible().byClass().byQueue()) {
      if (!queue.isQuiet()) {
        queue.jobs().forEach(this::retryIfNotBlocked);
      }
    }
  }

  private void retryIfNotBlocked(JobEntry job) {
    if (job.shortage().isExceeding() && quotas.excess(job).isEmpty()) {
      job.shortage().exceed(false);
      retry.accept(job);
    }
  }

  /** Retries the jobs behind a starting one that fail only under the quota usage until now. */
  void addBehind(JobEntry starting) {
    for (JobEntry job : failedUnderQuotas) {
      if (JobEntry.TURN.compare(job, starting) > 0) {
        retry.accept(job);
      }
    }
    failedUnderQuotas.clear();
  }

  /** Returns true if a job blocked by a limit may evict others. */
  boolean mayEvictBelowLimit(JobEntry job) {
    return mayReclaimBelowLimit(job) || mayPreemptBelowLimit(job);
  }

  /** Returns true if siblings below the ancestor at its limit may lose jobs. */
  private boolean mayReclaimBelowLimit(JobEntry job) {
    return quotas.isBlockedByParentLimit(job) && quotas.isWithinShare(job);
  }

  /** Returns true if its own queue, at its limit, has jobs that it may pre-empt. */
  private boolean mayPreemptBelowLimit(JobEntry job) {
    return policy.preempts()
        && quotas.isBlockedByLimit(job)
        && table
            .running()
            .preemptibleBeside(job)
            .findFirst()
            .filter(last -> last.rank() > table.preemptsAbove(job))
            .isPresent();
  }
}
