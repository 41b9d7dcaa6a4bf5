package io.github.liquidscheduler.scheduler.start;

import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.JobOrders;
import io.github.liquidscheduler.scheduler.queue.JobAdmission;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.Quotas;
import io.github.liquidscheduler.scheduler.queue.WaitingClasses;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes waiting classes ready that a change in quota usage or shares may help: those blocked by a
 * quota, and those that may reclaim. Valid for one pass.
 */
final class QuotaRetries {

  private final JobTable table;
  private final Quotas quotas;
  private final boolean remembersFailures;
  // The classes that are known to fail under the usage at which the pass has last looked.
  private final List<JobEntry> failedUnderQuotas = new ArrayList<>();

  /**
   * Makes the filter.
   *
   * @param remembersFailures whether failed searches for victims are remembered
   */
  QuotaRetries(JobTable table, boolean remembersFailures) {
    this.table = table;
    this.remembersFailures = remembersFailures;
    quotas = table.quotas();
  }

  /**
   * Makes classes ready that a quota change may unblock; returns true if there was a change since
   * the last call.
   */
  boolean wake() {
    if (!quotas.hasQueueTree() || !quotas.haveChanged()) {
      return false;
    }
    boolean areKnown = quotas.areSettled();
    quotas.settle();
    quotas.admission().releaseReservations();
    failedUnderQuotas.clear();
    for (WaitingClasses.OfQueue queue : classes().byQueue()) {
      if (!areKnown || !remembersFailures || !queue.isQuiet()) {
        boolean isQuiet = remembersFailures;
        for (JobEntry job : queue.candidates()) {
          isQuiet &= !wakeIfQuotasHelp(job, areKnown) && !noteIfDependsOnOthers(job);
        }
        queue.noteQuiet(isQuiet);
      }
    }
    return true;
  }

  /** Goes on with a pass that stopped early: collects the classes that fail under the usage. */
  void resume() {
    // Where queues lend, a round tries all of them.
    if (quotas.hasQueueTree() && !quotas.lendsQuota()) {
      for (WaitingClasses.OfQueue queue : classes().byQueue()) {
        if (!queue.isQuiet()) {
          for (JobEntry job : queue.candidates()) {
            if (classes().isParked(job)) {
              noteIfDependsOnOthers(job);
            }
          }
        }
      }
    }
  }

  /** Makes a class ready if a quota change may help it; returns true if it does. */
  private boolean wakeIfQuotasHelp(JobEntry job, boolean areKnown) {
    boolean exceeds = quotas.admission().excess(job).isPresent() && !quotas.lendsQuota();
    boolean exceeded = job.shortage().exceed(exceeds);
    boolean mayHelp =
        exceeds
            ? mayEvictBelowLimit(table, job)
            : !areKnown
                || exceeded
                || (remembersFailures
                    ? quotas.mayHelpSince(job, table.mayPreempt(job))
                    : quotas.admission().dependsOnOthers(job) || table.mayPreempt(job))
                || table.preemption().mostMoves() > 0;
    if (mayHelp) {
      wake(job);
    }
    return mayHelp;
  }

  private void wake(JobEntry job) {
    classes().wake(job.placementClass());
  }

  /** Notes a class that fails under the present quota usage; returns true if it is one. */
  private boolean noteIfDependsOnOthers(JobEntry job) {
    boolean dependsOnOthers = quotas.admission().dependsOnOthers(job);
    if (dependsOnOthers) {
      failedUnderQuotas.add(job);
    }
    return dependsOnOthers;
  }

  /**
   * Makes the classes ready whose quota was freed by evictions in this pass, on any node: they come
   * before later jobs that fit now.
   */
  void wakeNoLongerBlocked() {
    for (WaitingClasses.OfQueue queue : classes().byQueue()) {
      if (!queue.isQuiet()) {
        queue.candidates().forEach(this::wakeIfNotBlocked);
      }
    }
  }

  private void wakeIfNotBlocked(JobEntry job) {
    if (job.shortage().isExceeding() && quotas.admission().excess(job).isEmpty()) {
      job.shortage().exceed(false);
      wake(job);
    }
  }

  /** Makes the classes ready behind a starting job that fail only under the usage until now. */
  void wakeBehind(JobEntry starting) {
    for (JobEntry job : failedUnderQuotas) {
      if (isBehind(job, starting)) {
        wake(job);
      }
    }
    failedUnderQuotas.clear();
  }

  private boolean isBehind(JobEntry job, JobEntry starting) {
    boolean borrows = quotas.admission().borrows(job);
    return borrows == quotas.admission().borrows(starting)
        ? JobOrders.TURN.compare(job, starting) > 0
        : borrows;
  }

  private WaitingClasses classes() {
    return table.eligible().byClass();
  }

  /** Returns true if a job blocked by a limit may evict others. */
  static boolean mayEvictBelowLimit(JobTable table, JobEntry job) {
    JobAdmission admission = table.quotas().admission();
    // Siblings below an ancestor at its limit may lose jobs.
    boolean mayReclaim = admission.isBlockedByParentLimit(job) && admission.isWithinShare(job);
    return mayReclaim
        || (table.mayPreempt(job)
            && admission.isBlockedByLimit(job)
            && table.victimsBeside(job).findFirst().isPresent());
  }
}
