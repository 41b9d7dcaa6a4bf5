package io.github.liquidscheduler.rounds.simulation;

import io.github.liquidscheduler.rounds.planner.RoundAlgorithm;
import io.github.liquidscheduler.rounds.planner.RoundPlan;
import io.github.liquidscheduler.rounds.planner.RoundProblem;
import io.github.liquidscheduler.rounds.scheduler.RoundPolicy;
import io.github.liquidscheduler.rounds.scheduler.RoundScheduler;
import java.util.Objects;

/**
 * What comes of jobs whose tasks a {@link RoundScheduler} gives to GPUs while they run, by
 * simulation of its events.
 *
 * @param policy which task goes first
 * @param areTimesKnown whether the scheduler is told beforehand how long tasks compute; if not, it
 *     learns that from the tasks that have computed
 * @param switching how long GPUs need between tasks
 */
public record OnlineRounds(RoundPolicy policy, boolean areTimesKnown, SwitchingTime switching)
    implements RoundAlgorithm {

  /** Checks that nothing is null. */
  public OnlineRounds {
    Objects.requireNonNull(policy, "policy");
    Objects.requireNonNull(switching, "switching");
  }

  /** Makes the simulation of a policy that knows times, on GPUs that switch in no time. */
  public OnlineRounds(RoundPolicy policy) {
    this(policy, true, SwitchingTime.NONE);
  }

  @Override
  public RoundPlan plan(RoundProblem problem) {
    return new OnlineRun(problem, this, scheduler()).run();
  }

  /**
   * Returns what comes of jobs whose tasks run in the order of a plan on each GPU. The scheduler is
   * told the plan when the last job has come; until then its policy decides.
   */
  public RoundPlan follow(RoundProblem problem, RoundPlan plan) {
    OnlineRun run = new OnlineRun(problem, this, scheduler());
    run.follow(plan);
    return run.run();
  }

  private RoundScheduler scheduler() {
    return RoundScheduler.builder(policy).build();
  }
}
