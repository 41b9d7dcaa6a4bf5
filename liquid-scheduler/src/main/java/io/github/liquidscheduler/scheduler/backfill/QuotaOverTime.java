package io.github.liquidscheduler.scheduler.backfill;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.placement.timeline.Reservation;
import io.github.liquidscheduler.placement.timeline.Slot;
import io.github.liquidscheduler.placement.timeline.TimeWindow;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.Quotas;
import io.github.liquidscheduler.scheduler.quota.Charge;
import io.github.liquidscheduler.scheduler.quota.HypotheticalUsage;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/*
 * Idea: a reservation holds quota of its queue and all ancestors over its window, as it holds GPUs.
 *   The usage at an instant is that of now, less the jobs expected to have ended by then, plus
 *   the reservations that include it.
 * Invariants: usage rises only where a reservation begins, so that the beginning of a window and
 *   the beginnings of reservations in it are all that has to be asked. Without a queue tree
 *   everything is admitted.
 * Cost: O((running jobs + reservations) x (reservations that begin in the window + 1)).
 */
/**
 * Whether quotas admit a job over a whole window, beside running jobs and reservations.
 *
 * @param claims the reservations of waiting jobs that count now
 * @param runs the slots of running jobs until their expected ends; live
 */
record QuotaOverTime(
    JobTable jobs,
    Supplier<List<Reservation<Placement>>> claims,
    Map<JobId, Slot<Placement>> runs) {

  /** Returns true if a placement of a job, running or not, stays within all quotas in a window. */
  boolean admits(JobEntry job, Placement placement, TimeWindow window) {
    return admits(job, placement, window, Map.of());
  }

  /**
   * Returns true if a placement of a job stays within all quotas in a window.
   *
   * @param released the charges of running jobs that are released at once
   */
  boolean admits(
      JobEntry job, Placement placement, TimeWindow window, Map<JobId, Charge> released) {
    if (!jobs.quotas().hasQueueTree()) {
      return true;
    }
    List<Reservation<Placement>> others =
        claims.get().stream()
            .filter(claim -> !claim.job().equals(job.id()) && jobs.find(claim.job()) != null)
            .toList();
    return admitsAt(job, placement, window.start(), others, released)
        && others.stream()
            .map(Reservation::start)
            .filter(start -> start > window.start() && start < window.end())
            .distinct()
            .allMatch(start -> admitsAt(job, placement, start, others, released));
  }

  private boolean admitsAt(
      JobEntry job,
      Placement placement,
      long instant,
      List<Reservation<Placement>> others,
      Map<JobId, Charge> released) {
    Quotas quotas = jobs.quotas();
    HypotheticalUsage use = HypotheticalUsage.toAdmit();
    for (Map.Entry<JobId, Slot<Placement>> run : runs.entrySet()) {
      boolean isGone = run.getKey().equals(job.id()) || run.getValue().window().end() <= instant;
      @Nullable Charge given = released.get(run.getKey());
      if (isGone || given != null) {
        JobEntry running = jobs.get(run.getKey());
        Charge gone = isGone || given == null ? quotas.charge(running) : given;
        use.hold(running.account(), gone, running.job().isPreemptible(), -1);
      }
    }
    for (Reservation<Placement> claim : others) {
      if (claim.start() <= instant && instant < claim.slot().window().end()) {
        quotas.admission().start(jobs.get(claim.job()), claim.slot().placement(), use);
      }
    }
    return quotas.admission().admits(job, placement, use);
  }
}
