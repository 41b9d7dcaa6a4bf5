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

/** Starts eligible jobs in policy order, and pre-empts others for them. */
public final class Start implements Stage {

  private final Placer placer;
  private final Optional<Elasticity> elasticity;
  private final EventBounds bounds;
  // A cache: copies and restored schedulers count the capacity again.
  private @Nullable Left left;

  /** An unfinished pass with the growth that it has counted. */
  private record Left(UnfinishedPass pass, FreedNodes freed) {}

  /**
   * Makes a stage that uses {@code placer} for jobs without a planned placement.
   *
   * @param elasticity the rules by which elastic jobs give up GPUs, if any do
   * @param bounds the limits of one event
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

  /** Returns the next time at which running jobs may move for others. */
  public static Optional<Instant> nextMoves(JobTable jobs) {
    return new MoveBudget(jobs).nextChange(jobs.now());
  }

  /** Returns true if no job can be tried, as after most ends. */
  private static boolean isIdle(Turn turn) {
    return turn.jobs().eligible().isEmpty()
        && turn.jobs().changes().blocked() == null
        && !turn.jobs().quotas().hasQueueTree();
  }

  private Optional<Compaction> compaction(JobTable jobs) {
    return elasticity
        .filter(rules -> !jobs.quotas().hasQueueTree())
        .map(rules -> new Compaction(jobs, rules, jobs.judgeWaiting(rules.pendingLimit())))
        .filter(Compaction::mayFind);
  }
}
