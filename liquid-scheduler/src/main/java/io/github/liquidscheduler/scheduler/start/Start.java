package io.github.liquidscheduler.scheduler.start;

import io.github.liquidscheduler.scheduler.elastic.Compaction;
import io.github.liquidscheduler.scheduler.eviction.MoveBudget;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.turn.Stage;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.Placer;
import java.time.Instant;
import java.util.Optional;

/** Starts the eligible jobs that fit, in the order of the policy, and pre-empts others for them. */
public final class Start implements Stage {

  private final Placer placer;
  private final Optional<Elasticity> elasticity;
  private final int mostStarts;

  /**
   * Makes a stage that has {@code placer} place the jobs for which no plan does.
   *
   * @param elasticity who gives up GPUs for them, if anybody does
   * @param mostStarts how many jobs it starts at most; then the next event goes on
   */
  public Start(Placer placer, Optional<Elasticity> elasticity, int mostStarts) {
    this.mostStarts = mostStarts;
    this.placer = placer;
    this.elasticity = elasticity;
  }

  @Override
  public void run(Turn turn) {
    Optional<Compaction> compaction = compaction(turn.jobs());
    turn.noteGrowth(turn.jobs().changes().hasGrown());
    if (isIdle(turn)) {
      turn.jobs().changes().settle();
      return;
    }
    StartPass pass = new StartPass(turn, placer, compaction, mostStarts);
    if (turn.jobs().policy().allowsBypass()) {
      pass.tryByClass();
    } else {
      pass.tryFromHead();
    }
    turn.planned().countBypasses();
    if (pass.isCutShort()) {
      pass.leaveOpen();
    } else {
      turn.jobs().changes().settle();
    }
    pass.leaveToNext();
  }

  /** Returns when running jobs may be moved for others though nothing happens until then. */
  public static Optional<Instant> nextMoves(JobTable jobs) {
    return new MoveBudget(jobs).nextChange(jobs.now());
  }

  /** Returns whether nobody waits who could be tried, which after most ends is so. */
  private static boolean isIdle(Turn turn) {
    return turn.jobs().eligible().isEmpty()
        && turn.jobs().changes().blocked() == null
        && !turn.jobs().quotas().areKept();
  }

  private Optional<Compaction> compaction(JobTable jobs) {
    return elasticity
        .filter(rules -> !jobs.quotas().areKept())
        .map(rules -> new Compaction(jobs, placer, rules, jobs.judgeWaiting(rules.pendingLimit())))
        .filter(Compaction::mayFind);
  }
}
