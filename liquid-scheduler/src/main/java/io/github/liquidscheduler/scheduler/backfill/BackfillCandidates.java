package io.github.liquidscheduler.scheduler.backfill;

import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.KeptOut;
import io.github.liquidscheduler.scheduler.policy.Backfill;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.WaitingClasses;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/*
 * Idea: a job that found no start beside the reservations finds none later either, until capacity
 *   grows where a task of it fits, which a reservation that moves away does too, or until it is
 *   expected to be shorter or passes a reservation that it did not. Jobs that hold a reservation or
 *   may get one are always tried.
 * Invariants: decisions are those of a pass that tries everybody; what is known is state, so that a
 *   restored scheduler tries the same jobs (ReservationOrderLaws, AnyFeaturesLaws).
 * Cost: O(waiting classes) for each round, with O(jobs) for classes that reservations keep out.
 */
/** The waiting jobs that may start now, or may get a reservation. */
record BackfillCandidates(ClaimPass pass, BackfillPlan plan, JobTable jobs, Backfill rules) {

  /**
   * Returns the jobs for which no failed attempt speaks, and makes their classes ready.
   *
   * @param isHelped whether grown capacity may help the first job of a class
   */
  List<JobEntry> all(Predicate<JobEntry> isHelped) {
    WaitingClasses classes = jobs.eligible().byClass();
    List<JobEntry> all = firstInLine();
    // Time alone has others give way to them.
    all.stream().filter(JobEntry::isPromised).forEach(job -> classes.wake(job.placementClass()));
    for (JobEntry first : classes.firsts()) {
      @Nullable KeptOut known = first.shortage().keptOut();
      boolean isTried = !classes.isParked(first) || isHelped.test(first);
      List<JobEntry> mayStart =
          isTried || known == null || !known.lasts() ? peers(first) : unlike(known, first);
      if (!mayStart.isEmpty()) {
        classes.wake(first.placementClass());
        all.addAll(mayStart);
      }
    }
    return all;
  }

  /** Returns the jobs of a class for which a failed attempt does not speak. */
  private List<JobEntry> unlike(KeptOut known, JobEntry first) {
    if (known.speaksForAll()) {
      return List.of();
    }
    List<JobEntry> unlike = peers(first);
    unlike.removeIf(job -> known.speaksFor(plan.waiting(job).length(), pass.passed(job)));
    return unlike;
  }

  private List<JobEntry> peers(JobEntry job) {
    List<JobEntry> peers = new ArrayList<>();
    jobs.eligible().peers(job).forEach(peers::add);
    return peers;
  }

  /** Returns the jobs behind another that may get a reservation, now that it has left its own. */
  List<JobEntry> nextInLine(JobEntry started) {
    List<JobEntry> next = firstInLine();
    next.removeIf(job -> pass.isReserved(job) || pass.withOverdueFirst(job, started) < 0);
    return next;
  }

  /** Returns the jobs that hold a reservation or may get one, and promised ones. */
  private List<JobEntry> firstInLine() {
    List<JobEntry> first = new ArrayList<>();
    plan.reservations().forEach(claim -> first.add(jobs.get(claim.job())));
    int before = 0;
    for (JobEntry job : jobs.eligible().inOrder()) {
      boolean isReserved = pass.isReserved(job);
      before += isReserved ? 1 : 0;
      if (before >= rules.reservations() && !job.isPromised()) {
        break;
      }
      if (!isReserved && (pass.isLarge(job) || job.isPromised())) {
        first.add(job);
      }
    }
    return first;
  }
}
