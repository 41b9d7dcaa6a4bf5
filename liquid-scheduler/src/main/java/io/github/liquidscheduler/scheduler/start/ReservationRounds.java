package io.github.liquidscheduler.scheduler.start;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.scheduler.backfill.ClaimPass;
import io.github.liquidscheduler.scheduler.eviction.VictimSearch;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.queue.TurnOrderedJobs;
import io.github.liquidscheduler.scheduler.queue.WaitingClasses;
import io.github.liquidscheduler.scheduler.queue.WaitingJobs;
import io.github.liquidscheduler.scheduler.turn.Turn;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The rounds of a pass beside reservations: the eligible jobs that may not fail as they did before
 * are tried in turn order, overdue ones first but for promised ones, and again from the first one
 * after a start that may help those before it.
 */
final class ReservationRounds {

  private final Turn turn;
  private final ClaimPass reservations;
  private final VictimSearch victims;
  private final StartLadder ladder;
  private final FreedNodes freed;
  private final Candidates candidates;
  private final boolean triesAll;
  private final TurnOrderedJobs left;
  private final WaitingJobs eligible;
  private final WaitingClasses classes;
  private Deque<JobEntry> overdue = new ArrayDeque<>();

  /**
   * Makes the rounds of a pass.
   *
   * @param freed the filter by released capacity
   * @param triesAll whether more may help a job that failed than that filter knows
   */
  ReservationRounds(
      Turn turn,
      ClaimPass reservations,
      VictimSearch victims,
      StartLadder ladder,
      FreedNodes freed,
      Candidates candidates,
      boolean triesAll) {
    this.turn = turn;
    this.reservations = reservations;
    this.victims = victims;
    this.ladder = ladder;
    this.freed = freed;
    this.candidates = candidates;
    this.triesAll = triesAll || reservations.dependsOnMore();
    reservations.tryAll(this.triesAll);
    left = candidates.singled();
    eligible = turn.jobs().eligible();
    classes = eligible.byClass();
  }

  /** Begins the first round, or goes on with that of the last event. */
  void begin() {
    turn.jobs().queues().arrange();
    if (turn.goesOn() && turn.jobs().agenda().isCut()) {
      overdue = new ArrayDeque<>(reservations.findOverdue());
      left.addAll(turn.planned().singled());
    } else {
      beginRound();
    }
  }

  /** Has jobs be tried beside repaired reservations. */
  private void beginRound() {
    turn.jobs().quotas().admission().releaseReservations();
    overdue = new ArrayDeque<>(reservations.refresh());
    if (triesAll) {
      candidates.wakeAll();
      candidates.wakeByQuotas();
      left.addAll(eligible.inOrder());
    } else {
      freed.preempted();
      left.addAll(reservations.candidates(freed::mayHelp));
    }
  }

  /** Returns the next job to be tried, or null. */
  @Nullable JobEntry next() {
    while (!overdue.isEmpty() && !left.contains(overdue.element())) {
      overdue.remove();
    }
    @Nullable JobEntry first = left.first();
    boolean isPromised = first != null && first.precedesQueues();
    return overdue.isEmpty() || isPromised ? first : overdue.element();
  }

  /** Tries a job: it starts, now or instead of others, or gets a reservation if it may have one. */
  void attempt(JobEntry job) {
    left.remove(job);
    if (!hasToWait(job)) {
      boolean wasReserved = reservations.isReserved(job);
      if (starts(job)) {
        reservations.started(job, victims.mayFind());
        if (wasReserved && !triesAll) {
          left.addAll(reservations.nextInLine(job));
        }
      } else {
        boolean mayOpen = isStrictHead(job) && !reservations.isReserved(job);
        reservations.reserve(job);
        turn.jobs().quotas().admission().reserveFor(job, eligible);
        if (mayOpen && reservations.isReserved(job)) {
          openQueue(job);
        }
      }
    }
    if (reservations.isStale()) {
      beginRound();
    }
  }

  private boolean isStrictHead(JobEntry job) {
    return job.queue().isStrict() && !eligible.hasToWaitForTurn(job);
  }

  /** Has those tried that came before the head of their queue, as they are overdue. */
  private void openQueue(JobEntry head) {
    left.addAll(eligible.behind(head));
    overdue = new ArrayDeque<>(reservations.findOverdue());
  }

  private boolean hasToWait(JobEntry job) {
    return eligible.hasToWaitForTurn(job)
        && !reservations.isReserved(job)
        && eligible.headOf(job).filter(reservations::isReserved).isEmpty();
  }

  private boolean starts(JobEntry job) {
    Optional<Placement> found = reservations.find(job, victims.mayFind());
    if (found.isPresent()) {
      ladder.start(job, found.get());
      return true;
    }
    boolean maySearch =
        (ladder.exceedsQuota(job) ? ladder.mayRelieveLimit(job) : victims.mayFind())
            && (job.precedesQueues() || !reservations.startsSoon())
            && !classes.isParked(job);
    boolean starts = maySearch && ladder.startInsteadOfOthers(job);
    if (!starts && (maySearch || !victims.mayFind())) {
      classes.park(job);
    }
    return starts;
  }
}
