package io.github.liquidscheduler.scheduler.start;

import io.github.liquidscheduler.scheduler.elastic.Compaction;
import io.github.liquidscheduler.scheduler.eviction.MoveBudget;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.RetryState;
import io.github.liquidscheduler.scheduler.queue.UnfinishedPass;
import io.github.liquidscheduler.scheduler.turn.Stage;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.Placer;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Starts the eligible jobs that fit, in the order of the policy, and pre-empts others for them. */
public final class Start implements Stage {

  private final Placer placer;
  private final Optional<Elasticity> elasticity;
  private final EventBounds bounds;
  // Only saves time: a copy or a restored scheduler looks at the room anew.
  private @Nullable Left left;

  /** An unfinished pass, and the room that it knew. */
  private record Left(UnfinishedPass pass, FreedNodes freed) {}

  /**
   * Makes a stage that has {@code placer} place the jobs for which no plan does.
   *
   * @param elasticity who gives up GPUs for them, if anybody does
   * @param bounds how much it does at most; then the next event goes on
   */
  public Start(Placer placer, Optional<Elasticity> elasticity, EventBounds bounds) {
    this.bounds = bounds;
    this.placer = placer;
    this.elasticity = elasticity;
  }

  @Override
  public void run(Turn turn) {
    Optional<Compaction> compaction = compaction(turn.jobs());
    turn.noteGrowth(turn.jobs().changes().hasGrown());
    turn.jobs().changes().mayStopEarly(bounds.areAny());
    if (isIdle(turn)) {
      turn.jobs().changes().settle();
      return;
    }
    StartPass pass = new StartPass(turn, placer, compaction, bounds);
    if (pass.resumes()) {
      resume(pass, turn.jobs().changes());
    }
    if (turn.jobs().policy().allowsBypass()) {
      pass.tryByClass();
    } else {
      pass.tryFromHead();
    }
    turn.planned().countBypasses();
    left = null;
    if (pass.isCutShort()) {
      left = pass.leaveOpen().map(unfinished -> new Left(unfinished, pass.freed())).orElse(null);
    } else {
      turn.jobs().changes().settle();
    }
    pass.leaveToNext();
  }

  @SuppressWarnings("ReferenceEquality") // an equal one may be of another table
  private void resume(StartPass pass, RetryState changes) {
    @Nullable Left known = left;
    if (known != null && known.pass() == changes.unfinished()) {
      pass.resumeWith(known.freed());
    }
  }

  /** Returns when running jobs may be moved for others though nothing happens until then. */
  public static Optional<Instant> nextMoves(JobTable jobs) {
    return new MoveBudget(jobs).nextChange(jobs.now());
  }

  /** Returns true if nobody waits who could be tried, which after most ends is so. */
  private static boolean isIdle(Turn turn) {
    return turn.jobs().eligible().isEmpty()
        && turn.jobs().changes().blocked() == null
        && !turn.jobs().quotas().hasQueueTree();
  }

  private Optional<Compaction> compaction(JobTable jobs) {
    return elasticity
        .filter(rules -> !jobs.quotas().hasQueueTree())
        .map(rules -> new Compaction(jobs, placer, rules, jobs.judgeWaiting(rules.pendingLimit())))
        .filter(Compaction::mayFind);
  }
}
