package io.github.liquidscheduler.scheduler.window;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.placement.gang.PlacementRules;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.queue.BatchedJobs;
import io.github.liquidscheduler.scheduler.queue.BatchedJobs.Membership;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.WindowPhase;
import io.github.liquidscheduler.scheduler.turn.PlannedStarts;
import io.github.liquidscheduler.scheduler.turn.Stage;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Takes in a batch plan: its jobs become eligible for this turn, as do the jobs that they would
 * bypass, and those that were beyond their quotas. Jobs that do not start are parked again. A plan
 * that an event has left unfinished goes on, unless another one replaces it.
 *
 * <p>A requested plan starts only jobs that it was requested for, and none once it is stale. An
 * unrequested plan may start any waiting job, and leaves the awaited plan unaffected.
 */
public record PlanIntake(int bypassLimit) implements Stage {

  @Override
  public void run(Turn turn) {
    BatchedJobs.@Nullable OpenPlan open = turn.state().window().takeOpenPlan();
    if (open != null) {
      turn.planned().resume(open, limitOf(turn.jobs(), bypassLimit));
    }
    if (turn.event() instanceof ClusterEvent.PlanProposed proposed) {
      BatchPlan plan = proposed.plan();
      if (turn.state().window().awaitedSince(plan).isPresent()) {
        takeRequested(turn, plan);
      } else if (plan.number() == 0) {
        takeUnasked(turn, plan);
      }
    }
  }

  private void takeRequested(Turn turn, BatchPlan plan) {
    BatchedJobs batched = turn.state().window();
    turn.planned().begin(plan.number());
    for (Placement start : plan.starts()) {
      @Nullable JobEntry job = turn.jobs().find(start.job());
      if (job != null && isRequested(turn, job)) {
        turn.planned().add(job, start);
      }
    }
    List<JobEntry> parked = new Parked(turn.jobs()).inTurn();
    List<JobEntry> requested = in(Membership.REQUESTED, parked, batched);
    int limit = limitOf(turn.jobs(), bypassLimit);
    turn.planned()
        .defer(requested.stream().filter(job -> mayDefer(turn.jobs(), job)).toList(), limit);
    Map<JobEntry, Membership> borrowed = new LinkedHashMap<>();
    Parked.upToLast(parked, thatMayBypass(turn, requested))
        .forEach(job -> borrowed.put(job, Membership.LEFT_OVER));
    requested.forEach(job -> borrowed.put(job, Membership.LEFT_OVER));
    in(Membership.BEYOND_QUOTA, parked, batched)
        .forEach(job -> borrowed.put(job, Membership.BEYOND_QUOTA));
    borrowed.forEach(turn.planned()::borrow);
    if (batched.phase() instanceof WindowPhase.Awaiting awaiting) {
      batched.enter(batched.entered() == 0 ? new WindowPhase.Idle() : awaiting.next());
    }
  }

  /** Returns true if a plan was requested for a job, which another plan may try just now. */
  private static boolean isRequested(Turn turn, JobEntry job) {
    return turn.state().window().stage(job) == Membership.REQUESTED
        || turn.planned().borrowed().get(job) == Membership.REQUESTED;
  }

  private static List<JobEntry> in(
      Membership membership, List<JobEntry> parked, BatchedJobs batched) {
    return parked.stream().filter(job -> batched.stage(job) == membership).toList();
  }

  private static void takeUnasked(Turn turn, BatchPlan plan) {
    PlannedStarts planned = turn.planned();
    planned.begin(plan.number());
    plan.starts().forEach(start -> addIfStartable(turn, start));
    Set<JobId> jobs = new HashSet<>();
    planned.jobs().forEach(job -> jobs.add(job.id()));
    if (jobs.isEmpty()) {
      return;
    }
    for (JobEntry job : Parked.upToLast(new Parked(turn.jobs()).inTurn(), jobs)) {
      @Nullable Membership stage = turn.state().window().stage(job);
      planned.borrow(job, stage == null ? Membership.LEFT_OVER : stage);
    }
  }

  private static void addIfStartable(Turn turn, Placement start) {
    @Nullable JobEntry job = turn.jobs().find(start.job());
    if (job != null
        && !job.isRunning()
        && job.delayedUntil() == null
        && new PlacementRules(turn.cluster().topology(), job.job()).brokenBy(start).isEmpty()) {
      turn.planned().add(job, start);
    }
  }

  /** Returns the jobs of a plan that could bypass others. */
  private static Set<JobId> thatMayBypass(Turn turn, List<JobEntry> jobs) {
    boolean all = !turn.jobs().policy().allowsBypass();
    return jobs.stream()
        .filter(job -> all || turn.planned().contains(job))
        .map(JobEntry::id)
        .collect(Collectors.toSet());
  }

  /**
   * Returns the number of jobs that may bypass one: none under a policy that pre-empts, or where
   * queues reclaim what is due to them.
   */
  static int limitOf(JobTable jobs, int bypassLimit) {
    boolean reclaims =
        jobs.quotas().hasQueueTree() && jobs.quotas().reclaiming() != Reclaiming.NEVER;
    return jobs.policy().allowsBypass() && !jobs.policy().preempts() && !reclaims ? bypassLimit : 0;
  }

  /** Returns true if its queue lets others bypass a job. */
  static boolean mayDefer(JobTable jobs, JobEntry job) {
    return !job.queue().isStrict();
  }
}
