package io.github.liquidscheduler.scheduler.window;

import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.queue.BatchedJobs;
import io.github.liquidscheduler.scheduler.queue.BatchedJobs.Membership;
import io.github.liquidscheduler.scheduler.queue.WindowPhase;
import io.github.liquidscheduler.scheduler.turn.Stage;
import io.github.liquidscheduler.scheduler.turn.Turn;

/**
 * Makes parked jobs eligible for good: those whose plan has not come in time and, if the policy
 * allows no bypass, all that stand before an eligible job.
 */
public final class Eligibility implements Stage {

  private final BatchWindow options;

  /** Makes a stage that awaits a plan for the plan timeout of {@code options}. */
  public Eligibility(BatchWindow options) {
    this.options = options;
  }

  @Override
  public void run(Turn turn) {
    BatchedJobs batched = turn.state().window();
    Parked parked = new Parked(turn.jobs());
    if (batched.phase() instanceof WindowPhase.Awaiting awaiting
        && !turn.jobs().now().isBefore(WindowTimes.timeout(awaiting, options))) {
      parked.in(Membership.REQUESTED).forEach(turn.jobs()::makeEligible);
      batched.enter(awaiting.next());
    }
    parked.upTo(parked.lastEligible(turn.planned().borrowed())).forEach(turn.jobs()::makeEligible);
  }
}
