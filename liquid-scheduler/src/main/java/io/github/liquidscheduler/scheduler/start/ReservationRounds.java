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
 * The rounds of a pass beside reservations: every eligible job is tried in turn order, overdue ones
 * first but for promised ones, and again from the first one after a start that may help those
 * before it. Here a class is parked if a search for victims failed.
 */
final class ReservationRounds {

  private final Turn turn;
  private final ClaimPass reservations;
  private final VictimSearch victims;
  private final StartLadder ladder;
  private final Candidates candidates;
  private final TurnOrderedJobs left;
  private final WaitingJobs eligible;
  private final WaitingClasses classes;
  private Deque<JobEntry> overdue = new ArrayDeque<>();

  ReservationRounds(
      Turn turn,
      ClaimPass reservations,
      VictimSearch victims,
      StartLadder ladder,
      Candidates candidates) {
    this.turn = turn;
    this.reservations = reservations;
    this.victims = victims;
    this.ladder = ladder;
    this.candidates = candidates;
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
      candidates.wakeAll();
      beginRound();
    }
  }

  /** Has every job be tried, beside repaired reservations. */
  private void beginRound() {
    turn.jobs().quotas().admission().releaseReservations();
    overdue = new ArrayDeque<>(reservations.refresh());
    candidates.wakeByQuotas();
    left.addAll(eligible.inOrder());
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
      if (starts(job)) {
        reservations.started(job, victims.mayFind());
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
      candidates.wakeAll();
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
    Optional<Placement> found = reservations.find(job);
    if (found.isPresent()) {
      ladder.start(job, found.get());
      return true;
    }
    boolean maySearch =
        (ladder.exceedsQuota(job) ? ladder.mayRelieveLimit(job) : victims.mayFind())
            && (job.precedesQueues() || !reservations.startsSoon())
            && !classes.isParked(job);
    boolean starts = maySearch && ladder.startInsteadOfOthers(job);
    if (maySearch && !starts) {
      classes.park(job);
    }
    return starts;
  }
}
