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
 * Whom it helps that queues in a tree hold something else than before, or that something else is
 * due to them: whoever was kept by a quota, and whoever may take something back. For one pass.
 */
final class QuotaRetries {

  private final JobTable table;
  private final Quotas quotas;
  private final SchedulingPolicy policy;
  private final boolean remembersFailures;
  private final Consumer<JobEntry> retry;
  private final List<JobEntry> failedUnderQuotas = new ArrayList<>();

  /**
   * Makes the question.
   *
   * @param remembersFailures whether it is known of jobs that they found nobody who could leave
   * @param retry has the first job of a class be tried though it is known to fail
   */
  QuotaRetries(JobTable table, boolean remembersFailures, Consumer<JobEntry> retry) {
    this.table = table;
    this.remembersFailures = remembersFailures;
    this.retry = retry;
    quotas = table.quotas();
    policy = table.policy();
  }

  /** Returns who was not tried, since it is known to fail as long as queues hold what they do. */
  List<JobEntry> failedUnderQuotas() {
    return List.copyOf(failedUnderQuotas);
  }

  /** Adds jobs to these. */
  void addFailedUnderQuotas(Collection<JobEntry> jobs) {
    failedUnderQuotas.addAll(jobs);
  }

  /**
   * Has those be tried again whom a quota kept from starting, or who may take back something;
   * returns whether anything has changed since that was done last.
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

  /** Has the first job of a class be tried again if quotas may help it; returns whether it is. */
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

  /** Notes a job that fails as long as queues hold what they do; returns whether it is one. */
  private boolean noteIfDependsOnOthers(JobEntry job) {
    boolean dependsOnOthers = quotas.dependsOnOthers(job);
    if (dependsOnOthers) {
      failedUnderQuotas.add(job);
    }
    return dependsOnOthers;
  }

  /**
   * Has those be tried whom a quota kept from starting until others of their queues left, wherever
   * these were: they come before those behind them who find room now.
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

  /**
   * Has those be tried in their turns behind a job that starts of whom it was known that they fail
   * while queues hold what they did until now.
   */
  void addBehind(JobEntry starting) {
    for (JobEntry job : failedUnderQuotas) {
      if (JobEntry.TURN.compare(job, starting) > 0) {
        retry.accept(job);
      }
    }
    failedUnderQuotas.clear();
  }

  /** Returns true if others may have to leave for a job that a limit keeps. */
  boolean mayEvictBelowLimit(JobEntry job) {
    return mayReclaimBelowLimit(job) || mayPreemptBelowLimit(job);
  }

  /** Returns true if other parts may lose something of what its parents may hold no more of. */
  private boolean mayReclaimBelowLimit(JobEntry job) {
    return quotas.isBlockedByParentLimit(job) && quotas.reclaimFor(job).isJust();
  }

  /** Returns true if its own queue, which may hold no more, has jobs that it may pre-empt. */
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
