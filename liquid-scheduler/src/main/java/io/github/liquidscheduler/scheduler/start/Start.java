package io.github.liquidscheduler.scheduler.start;

import io.github.liquidscheduler.scheduler.elastic.Compaction;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.turn.Stage;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.Optional;

/** Starts the eligible jobs that fit, in the order of the policy, and pre-empts others for them. */
public final class Start implements Stage {

  private final Placer placer;
  private final Optional<Elasticity> elasticity;

  /**
   * Makes a stage that has {@code placer} place the jobs for which no plan does.
   *
   * @param elasticity who gives up GPUs for them, if anybody does
   */
  public Start(Placer placer, Optional<Elasticity> elasticity) {
    this.placer = placer;
    this.elasticity = elasticity;
  }

  @Override
  public void run(Turn turn) {
    Optional<Compaction> compaction = compaction(turn.jobs());
    turn.noteGrowth(turn.jobs().changes().hasGrown());
    StartPass pass = new StartPass(turn, placer, compaction);
    if (turn.jobs().policy().allowsBypass()) {
      pass.tryByClass();
    } else {
      pass.tryFromHead();
    }
    turn.planned().countBypasses();
    turn.jobs().changes().settle();
  }

  private Optional<Compaction> compaction(JobTable jobs) {
    return elasticity
        .map(rules -> new Compaction(jobs, placer, rules, jobs.judgeWaiting(rules.pendingLimit())))
        .filter(Compaction::mayFind);
  }
}
