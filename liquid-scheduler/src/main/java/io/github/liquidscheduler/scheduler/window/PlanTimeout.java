package io.github.liquidscheduler.scheduler.window;

import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.queue.BatchedJobs;
import io.github.liquidscheduler.scheduler.queue.BatchedJobs.Membership;
import io.github.liquidscheduler.scheduler.queue.WindowPhase;
import io.github.liquidscheduler.scheduler.turn.Stage;
import io.github.liquidscheduler.scheduler.turn.Turn;

/**
 * Awaits a plan no longer than its time-out: then its jobs become eligible for good, and the plan
 * changes nothing should it still come, at that very instant included.
 */
public final class PlanTimeout implements Stage {

  private final BatchWindow options;

  /** Makes a stage that awaits a plan for the plan time-out of {@code options}. */
  public PlanTimeout(BatchWindow options) {
    this.options = options;
  }

  @Override
  public void run(Turn turn) {
    BatchedJobs batched = turn.state().window();
    if (batched.phase() instanceof WindowPhase.Awaiting awaiting
        && !turn.jobs().now().isBefore(WindowTimes.timeout(awaiting, options))) {
      new Parked(turn.jobs()).in(Membership.REQUESTED).forEach(turn.jobs()::makeEligible);
      batched.enter(awaiting.next());
    }
  }
}
