package io.github.liquidscheduler.scheduler.window;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.placement.gang.PlacementRules;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduler.queue.BatchedJobs;
import io.github.liquidscheduler.scheduler.queue.BatchedJobs.Membership;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.WindowPhase;
import io.github.liquidscheduler.scheduler.turn.PlannedStarts;
import io.github.liquidscheduler.scheduler.turn.Stage;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Takes in a batch plan: its jobs become eligible for this turn, as do the jobs that they would
 * bypass. Jobs that do not start are parked again.
 *
 * <p>A requested plan starts only jobs that it was requested for, and none once it is stale. An
 * unrequested plan may start any waiting job, and leaves the awaited plan unaffected.
 */
public final class PlanIntake implements Stage {

  private final int bypassLimit;

  /** Makes the stage; requested plans may let a job be bypassed by {@code bypassLimit} others. */
  public PlanIntake(int bypassLimit) {
    this.bypassLimit = bypassLimit;
  }

  @Override
  public void run(Turn turn) {
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
      if (job != null && batched.stage(job) == Membership.REQUESTED) {
        turn.planned().add(job, start);
      }
    }
    Parked parked = new Parked(turn.jobs());
    List<JobEntry> requested = parked.in(Membership.REQUESTED);
    turn.planned().defer(requested, limitOf(turn.jobs().policy(), bypassLimit));
    Set<JobEntry> borrowed = new LinkedHashSet<>(parked.upTo(lastThatMayBypass(turn, requested)));
    borrowed.addAll(requested);
    borrowed.forEach(job -> turn.planned().borrow(job, Membership.LEFT_OVER));
    if (batched.phase() instanceof WindowPhase.Awaiting awaiting) {
      batched.enter(batched.entered() == 0 ? new WindowPhase.Idle() : awaiting.next());
    }
  }

  private static void takeUnasked(Turn turn, BatchPlan plan) {
    PlannedStarts planned = turn.planned();
    planned.begin(plan.number());
    plan.starts().forEach(start -> addIfStartable(turn, start));
    Parked parked = new Parked(turn.jobs());
    List<JobEntry> jobs = parked.all().stream().filter(planned::contains).toList();
    for (JobEntry job : parked.upTo(jobs.isEmpty() ? null : jobs.getLast())) {
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

  /** Returns the last job of a plan that could bypass another; null if none. */
  private static @Nullable JobEntry lastThatMayBypass(Turn turn, List<JobEntry> jobs) {
    boolean all = !turn.jobs().policy().allowsBypass();
    return jobs.reversed().stream()
        .filter(job -> all || turn.planned().contains(job))
        .findFirst()
        .orElse(null);
  }

  /** Returns the bypass limit under a policy. */
  static int limitOf(SchedulingPolicy policy, int bypassLimit) {
    return policy.allowsBypass() && !policy.preempts() ? bypassLimit : 0;
  }
}
