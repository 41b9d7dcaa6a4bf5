package io.github.liquidscheduler.scheduler.window;

import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.queue.BatchedJobs;
import io.github.liquidscheduler.scheduler.queue.BatchedJobs.Membership;
import io.github.liquidscheduler.scheduler.queue.WindowPhase;
import io.github.liquidscheduler.scheduler.turn.Stage;
import io.github.liquidscheduler.scheduler.turn.Turn;

/**
 * Ends the wait for a plan at its timeout: its jobs become permanently eligible, and a later plan,
 * also one at that very instant, changes nothing. Jobs beyond their quotas are tried once.
 */
public record PlanTimeout(BatchWindow options) implements Stage {

  @Override
  public void run(Turn turn) {
    BatchedJobs batched = turn.state().window();
    if (batched.phase() instanceof WindowPhase.Awaiting awaiting
        && !turn.jobs().now().isBefore(WindowTimes.timeout(awaiting, options))) {
      Parked parked = new Parked(turn.jobs());
      parked.in(Membership.REQUESTED).forEach(turn.jobs().waitingTransitions()::makeEligible);
      parked
          .in(Membership.BEYOND_QUOTA)
          .forEach(job -> turn.planned().borrow(job, Membership.BEYOND_QUOTA));
      batched.enter(awaiting.next());
    }
  }
}
