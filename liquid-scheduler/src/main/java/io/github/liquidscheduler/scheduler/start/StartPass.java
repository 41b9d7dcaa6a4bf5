package io.github.liquidscheduler.scheduler.start;

import io.github.liquidscheduler.scheduler.backfill.ClaimPass;
import io.github.liquidscheduler.scheduler.elastic.Compaction;
import io.github.liquidscheduler.scheduler.eviction.MoveBudget;
import io.github.liquidscheduler.scheduler.eviction.VictimSearch;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.queue.Agenda;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.Quotas;
import io.github.liquidscheduler.scheduler.queue.WaitingJobs;
import io.github.liquidscheduler.scheduler.turn.PlannedStarts;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.Placer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One pass over the eligible jobs after an event.
 *
 * <p>Without bypass, jobs start from the head of the queue until one does not fit; that one is
 * retried only if capacity has grown for it or another job comes before it. In a tree each leaf has
 * a head of its own, tried as follows.
 *
 * <p>With bypass, the {@linkplain Candidates first jobs of ready classes} are tried in turn order.
 * With backfill every job is, {@linkplain ReservationRounds beside reservations}.
 */
final class StartPass {

  private final Turn turn;
  private final EventBounds bounds;
  private final JobTable table;
  private final Agenda agenda;
  private final WaitingJobs eligible;
  private final PlannedStarts planned;
  private final Quotas quotas;
  private final FreedNodes freed;
  private final GrownCapacity grown;
  private final Candidates candidates;
  private final StartLadder ladder;
  private final @Nullable ReservationRounds rounds;
  private boolean cutShort;

  /**
   * Makes a pass. Passes of one turn share its bounds.
   *
   * @param claims the reservations of waiting jobs; null without backfill
   * @param grown the capacity that has grown
   */
  StartPass(
      Turn turn,
      Placer placer,
      Optional<Compaction> compaction,
      EventBounds bounds,
      @Nullable ClaimPass claims,
      GrownCapacity grown) {
    this.grown = grown;
    this.turn = turn;
    this.bounds = bounds;
    table = turn.jobs();
    agenda = table.agenda();
    eligible = table.eligible();
    planned = turn.planned();
    quotas = table.quotas();
    boolean helpsAnywhere =
        !placer.isCapacityBound()
            || !planned.jobs().isEmpty()
            || compaction.isPresent()
            || (quotas.hasQueueTree() && table.changesSizes())
            || table.preemption().mostMoves() > 0;
    boolean isCounted =
        quotas.hasQueueTree() && !quotas.lendsQuota() && !helpsAnywhere && claims == null;
    // Free capacity decides what is short where queues count several resources.
    boolean remembersFailures = isCounted && quotas.resources().size() == 1;
    VictimSearch victims = new VictimSearch(table, reach(placer, claims), compaction, isCounted);
    freed = new FreedNodes(table, helpsAnywhere, bounds.areSearchesBounded(), grown);
    candidates = new Candidates(turn, freed, remembersFailures);
    ladder = new StartLadder(turn, placer, victims, freed, candidates);
    rounds =
        claims == null
            ? null
            : new ReservationRounds(
                turn, claims, victims, ladder, freed, candidates, helpsAnywhere);
  }

  private static VictimSearch.Reach reach(Placer placer, @Nullable ClaimPass claims) {
    return claims == null
        ? VictimSearch.Reach.of(placer, placer)
        : new VictimSearch.Reach(
            job -> claims.ofWinner(job, placer),
            job -> claims.ofMoved(job, placer),
            claims::admits);
  }

  /** Tries jobs in turn order, and leaves what remains on the agenda. */
  void run() {
    if (rounds != null) {
      tryBeside(rounds);
    } else if (table.hasOneHead()) {
      tryFromHead();
    } else {
      tryByClass();
    }
    if (cutShort) {
      grown.keep();
      leaveOpen();
    } else {
      planned.countBypasses();
      agenda.settle();
    }
    agenda.retainLater(eligible.byClass());
  }

  private void leaveOpen() {
    if (rounds == null) {
      candidates.leaveOpen();
    }
    agenda.cut(new Agenda.Cut(table.now(), turn.rest(), turn.report()));
    quotas.cut();
    candidates.leaveGrowth();
    boolean areSingled = !planned.jobs().isEmpty() || !candidates.singled().isEmpty();
    if (table.isBatched() || areSingled) {
      table.batched().leaveOpen(planned.left(candidates.singled(), turn.hasGrown()));
    }
  }

  private void tryFromHead() {
    boolean looksAgain = new MoveBudget(table).isDue();
    @Nullable JobEntry head = eligible.first();
    while (head != null && !isOver() && (looksAgain || !isParked(head)) && ladder.attempt(head)) {
      head = eligible.first();
    }
    agenda.parkHead(cutShort ? null : head);
  }

  private boolean isParked(JobEntry head) {
    return head.equals(agenda.parkedHead()) && !freed.mayHelp(head) && !planned.contains(head);
  }

  /** Returns true if a limit of the event is reached; what is left to be tried is not asked. */
  private boolean isOver() {
    cutShort |= bounds.areReached(turn.starts(), turn.searches()) && !eligible.isEmpty();
    return cutShort;
  }

  private void tryByClass() {
    candidates.takeInChanges();
    tryReady();
    planned.deferredInVain().forEach(candidates::single);
    tryReady();
    while (!cutShort && candidates.wakeByQuotas()) {
      tryReady();
    }
  }

  private void tryReady() {
    while (!isOver()) {
      @Nullable JobEntry job = candidates.take();
      if (job == null) {
        return;
      }
      if (candidates.isKnownToFail(job) || !ladder.attempt(job)) {
        candidates.park(job);
      }
    }
  }

  private void tryBeside(ReservationRounds all) {
    all.begin();
    @Nullable JobEntry job = all.next();
    while (job != null && !isOver()) {
      all.attempt(job);
      job = all.next();
    }
  }
}
