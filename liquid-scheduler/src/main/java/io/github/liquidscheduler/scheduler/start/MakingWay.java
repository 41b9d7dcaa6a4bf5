package io.github.liquidscheduler.scheduler.start;

import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.scheduler.elastic.Surplus;
import io.github.liquidscheduler.scheduler.eviction.EvictionPlan;
import io.github.liquidscheduler.scheduler.eviction.MoveBudget;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.policy.Policies;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.Reason;
import io.github.liquidscheduler.scheduling.ReclaimRule;

/** The stops, changes of size and moves of running jobs for another one. */
final class MakingWay {

  private MakingWay() {}

  /** Carries out a plan and counts its moves. */
  static void carryOut(Turn turn, EvictionPlan plan, JobEntry winner) {
    for (EvictionSearch.Candidate leaving : plan.leaving()) {
      if (leaving instanceof JobEntry victim) {
        turn.preempt(victim, reason(turn, plan, victim, winner));
      } else if (leaving instanceof Surplus surplus) {
        turn.resize(
            surplus.job(), surplus.kept().orElseThrow(), new Reason.MadeSmaller(winner.id()));
      }
    }
    plan.moves()
        .forEach(
            (job, to) -> {
              turn.move(job, to, new Reason.MadeWay(winner.id()));
              new MoveBudget(turn.jobs()).moved(job);
            });
  }

  private static Reason reason(Turn turn, EvictionPlan plan, JobEntry victim, JobEntry winner) {
    JobTable jobs = turn.jobs();
    SchedulingPolicy order = winner.isPromised() ? Policies.deadlineFirst() : jobs.policy();
    return victim.queue().equals(winner.queue()) || !jobs.quotas().hasQueueTree()
        ? new Reason.PreemptedByPriority(order.name(), winner.id())
        : new Reason.Reclaimed(
            victim.job().queue(),
            winner.job().queue(),
            winner.id(),
            plan.rules().getOrDefault(victim, ReclaimRule.COMPUTED_SHARE));
  }
}
