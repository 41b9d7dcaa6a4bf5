package io.github.liquidscheduler.scheduler.start;

import io.github.liquidscheduler.scheduler.backfill.BackfillPlan;
import io.github.liquidscheduler.scheduler.backfill.ClaimPass;
import io.github.liquidscheduler.scheduler.elastic.Compaction;
import io.github.liquidscheduler.scheduler.eviction.MoveBudget;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.queue.Agenda;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.turn.Stage;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.Placer;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Starts eligible jobs in policy order, beside reservations, and pre-empts others for them. */
public final class Start implements Stage {

  private final Placer placer;
  private final Optional<Elasticity> elasticity;
  private final EventBounds bounds;
  private final GrownCapacity grown;

  /**
   * Makes a stage for a table of jobs.
   *
   * @param elasticity the rules by which elastic jobs give up GPUs, if any do
   * @param bounds the limits of one event
   */
  public Start(Placer placer, Optional<Elasticity> elasticity, EventBounds bounds, JobTable jobs) {
    this.placer = placer;
    this.elasticity = elasticity;
    this.bounds = bounds;
    grown = new GrownCapacity(jobs, placer);
  }

  @Override
  public void run(Turn turn) {
    Optional<Compaction> compaction = compaction(turn);
    boolean goesOn = turn.goesOn() && turn.jobs().agenda().isCut();
    turn.noteGrowth(turn.planned().hadGrown() || (!goesOn && turn.jobs().agenda().hasGrown()));
    @Nullable ClaimPass claims =
        turn.state().backfill().map(plan -> pass(plan, turn, goesOn)).orElse(null);
    if (isIdle(turn)) {
      if (claims != null) {
        claims.refresh();
      }
      turn.jobs().agenda().settle();
      turn.jobs().agenda().retainLater(turn.jobs().eligible().byClass());
    } else {
      grown.begin(turn);
      new StartPass(turn, placer, compaction, bounds, claims, grown).run();
    }
  }

  private static ClaimPass pass(BackfillPlan plan, Turn turn, boolean goesOn) {
    if (goesOn) {
      return plan.goOn();
    }
    return turn.rest() == Agenda.Rest.ALL ? plan.begin(turn.event()) : plan.beginAgain();
  }

  /** Returns the next time at which running jobs may move for others. */
  public static Optional<Instant> nextMoves(JobTable jobs) {
    return new MoveBudget(jobs).nextChange(jobs.now());
  }

  /** Returns true if no job can be tried, as after most ends. */
  private static boolean isIdle(Turn turn) {
    return turn.jobs().eligible().isEmpty()
        && turn.jobs().agenda().parkedHead() == null
        && !turn.jobs().quotas().hasQueueTree();
  }

  /**
   * Returns true if many jobs wait, or did when the pass began that an earlier event cut short.
   * Where there are queues, only their rules take more than the surplus of a job.
   */
  private static boolean manyWait(Turn turn, Elasticity rules) {
    JobTable jobs = turn.jobs();
    if (jobs.quotas().hasQueueTree()) {
      return false;
    }
    boolean hasBegun = turn.goesOn() && jobs.agenda().isCut();
    return hasBegun ? jobs.elastic().manyWait() : jobs.reviews().judgeWaiting(rules.pendingLimit());
  }

  private Optional<Compaction> compaction(Turn turn) {
    return elasticity
        .map(rules -> new Compaction(turn.jobs(), rules, manyWait(turn, rules)))
        .filter(Compaction::mayFind);
  }
}
