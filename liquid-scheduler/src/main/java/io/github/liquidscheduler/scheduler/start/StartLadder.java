package io.github.liquidscheduler.scheduler.start;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.scheduler.eviction.EvictionPlan;
import io.github.liquidscheduler.scheduler.eviction.QuotaPlacer;
import io.github.liquidscheduler.scheduler.eviction.VictimSearch;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.scheduling.Reason;
import java.util.Optional;

/*
 * Idea: an attempt asks the rungs one after the other, what costs others least first: the planned
 * placement, free capacity, and running jobs that give way.
 * Invariants: nobody is stopped, shrunk or moved for another at the instant at which it started,
 * grew or moved (SparedJobsLaws).
 * Cost: one placement for each attempt; a search for victims only where the shortage does not rule
 * it out. EffortTest and QueueEffortTest count the placements.
 */
/**
 * The attempts of a pass to start one job each.
 *
 * @param freed knows for which jobs the cluster has too little capacity
 * @param candidates are told what starts and failures change
 */
record StartLadder(
    Turn turn, Placer placer, VictimSearch victims, FreedNodes freed, Candidates candidates) {

  /** Starts a job if it is its turn and a rung answers; returns true if it has started. */
  boolean attempt(JobEntry job) {
    return !turn.jobs().eligible().hasToWaitForTurn(job)
        && (exceedsQuota(job) ? relieveLimit(job) : place(job));
  }

  /** Returns true if a job may not start unless jobs of its queue or beside it leave. */
  boolean exceedsQuota(JobEntry job) {
    return turn.jobs().quotas().admission().excess(job).isPresent()
        && !turn.jobs().quotas().lendsQuota();
  }

  private boolean relieveLimit(JobEntry job) {
    boolean starts = mayRelieveLimit(job) && startInsteadOfOthers(job);
    if (!starts) {
      job.shortage().exceed(true);
      turn.planned().giveUp(job);
    }
    return starts;
  }

  /** Returns true if others may give way so that a job stays within the limit that blocks it. */
  boolean mayRelieveLimit(JobEntry job) {
    return QuotaRetries.mayEvictBelowLimit(turn.jobs(), job) || victims.mayShrinkBelowLimit(job);
  }

  private boolean place(JobEntry job) {
    Placer within = QuotaPlacer.of(placer, turn.jobs().quotas(), job);
    Optional<Placement> claimed = turn.planned().claim(job, within);
    Optional<Placement> found =
        claimed.isPresent() || freed.isKnownToLack(job)
            ? claimed
            : turn.planned().find(job, within);
    if (found.isPresent()) {
      Placement to = found.get();
      start(
          job,
          to,
          claimed.isPresent()
              ? new Reason.Planned(turn.planned().number())
              : ScheduledReason.of(turn.jobs(), job, to));
      return true;
    }
    boolean mayFind = victims.mayFind() && !turn.planned().defers(job) && !freed.isTooLittle(job);
    boolean starts = mayFind && startInsteadOfOthers(job);
    if (!starts) {
      candidates.failed(job);
    }
    return starts;
  }

  /** Starts a job if others give way; returns true if it has started. */
  boolean startInsteadOfOthers(JobEntry job) {
    if (victims.mayFindFor(job)) {
      turn.countSearch();
    }
    return switch (victims.find(job)) {
      case VictimSearch.Result.Found found -> {
        startOn(found.plan(), job);
        yield true;
      }
      case VictimSearch.Result.NotFound none -> {
        if (none.mayFitLater()) {
          turn.jobs().agenda().tryLater(job.placementClass(), turn.jobs().now());
        }
        yield false;
      }
    };
  }

  private void startOn(EvictionPlan plan, JobEntry winner) {
    MakingWay.carryOut(turn, plan, winner);
    boolean decides =
        turn.jobs().ranksAloneDecide() && !winner.isPromised() && plan.moves().isEmpty();
    long lowest =
        plan.leaving().stream()
            .mapToLong(
                each -> decides && each instanceof JobEntry victim ? victim.rank() : Long.MIN_VALUE)
            .min()
            .orElse(Long.MIN_VALUE);
    start(winner, plan.placement());
    candidates.evicted(lowest);
  }

  /** Starts a job at a placement that is none of a plan. */
  void start(JobEntry job, Placement placement) {
    start(job, placement, ScheduledReason.of(turn.jobs(), job, placement));
  }

  private void start(JobEntry job, Placement placement, Reason reason) {
    candidates.starts(job);
    turn.start(job, placement, reason);
    turn.countStart();
    candidates.started(job);
    turn.planned().started(job, placement);
  }
}
