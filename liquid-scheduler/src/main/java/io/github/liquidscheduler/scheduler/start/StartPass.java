package io.github.liquidscheduler.scheduler.start;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.scheduler.backfill.ClaimPass;
import io.github.liquidscheduler.scheduler.elastic.Compaction;
import io.github.liquidscheduler.scheduler.eviction.EvictionPlan;
import io.github.liquidscheduler.scheduler.eviction.MoveBudget;
import io.github.liquidscheduler.scheduler.eviction.QuotaPlacer;
import io.github.liquidscheduler.scheduler.eviction.VictimSearch;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.JobOrders;
import io.github.liquidscheduler.scheduler.job.PlacementClass;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduler.queue.Agenda;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.Quotas;
import io.github.liquidscheduler.scheduler.queue.TurnOrderedJobs;
import io.github.liquidscheduler.scheduler.queue.WaitingClasses;
import io.github.liquidscheduler.scheduler.queue.WaitingJobs;
import io.github.liquidscheduler.scheduler.turn.PlannedStarts;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.scheduling.Reason;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/*
 * Idea: a pass tries the first job of each class that is ready, or that pending growth may help
 * (FreedNodes), the next in turn order first. A class that fails is parked, which speaks for the
 * jobs behind it; what a start or an eviction changes makes classes ready again (QuotaRetries).
 * Invariants: decisions are those of a pass that tries every job in turn order (RetryLaws,
 * QueueRetryLaws); a pass stopped by EventBounds continues in the next event as if it had not
 * stopped (ShortEventLaws, ShortQueueEventLaws); nobody is stopped, shrunk or moved for another at
 * the instant at which it started, grew or moved (SparedJobsLaws).
 * Cost: one placement for each class tried and one for each start; a search for victims only where
 * the shortage does not rule it out; finding the next job O(queues) after a start, else O(log
 * queues). EffortTest and QueueEffortTest count the placements, EventBench and QueueBench the
 * time.
 * Rejected: trying every waiting job after each event: exact, but seconds with many waiting jobs.
 */
/**
 * One pass over the eligible jobs after an event.
 *
 * <p>Without bypass, jobs start from the head of the queue until one does not fit; that one is
 * retried only if capacity has grown for it or another job comes before it. In a tree each leaf has
 * a head of its own, tried as follows.
 *
 * <p>With bypass, the first jobs of ready classes are tried in turn order. Available capacity only
 * shrinks as ranks rise and as the pass goes on, so that a failed class is done. The one exception:
 * a pre-emption may leave capacity for ranks at or above its victims', so that these are asked
 * again.
 */
final class StartPass {

  private final Turn turn;
  private final Placer placer;
  private final JobTable table;
  private final Agenda agenda;
  private final WaitingClasses classes;
  private final WaitingJobs eligible;
  private final SchedulingPolicy policy;
  private final PlannedStarts planned;
  private final FreedNodes freed;
  private final Quotas quotas;
  // Jobs of a plan, and those deferred for them, which need not be the first of their classes.
  private final TurnOrderedJobs singled = new TurnOrderedJobs();
  private final Set<PlacementClass> failed = new HashSet<>();
  private final QuotaRetries quotaRetries;
  private final boolean remembersFailures;
  private final VictimSearch victims;
  private final @Nullable ClaimPass claims;
  private int startsLeft;
  private int searchesLeft;
  private boolean cutShort;

  /**
   * Makes a pass.
   *
   * @param claims the reservations of waiting jobs; null without backfill
   */
  StartPass(
      Turn turn,
      Placer placer,
      Optional<Compaction> compaction,
      EventBounds bounds,
      @Nullable ClaimPass claims) {
    this.claims = claims;
    this.turn = turn;
    this.placer = placer;
    table = turn.jobs();
    agenda = table.agenda();
    eligible = table.eligible();
    classes = eligible.byClass();
    policy = table.policy();
    planned = turn.planned();
    quotas = table.quotas();
    // Passes of one event share its limits.
    startsLeft = Math.max(0, bounds.starts() - turn.starts());
    searchesLeft = Math.max(0, bounds.searches() - turn.searches());
    boolean helpsAnywhere =
        !placer.isCapacityBound()
            || claims != null
            || !planned.jobs().isEmpty()
            || compaction.isPresent()
            || (quotas.hasQueueTree() && table.changesSizes())
            || table.preemption().mostMoves() > 0;
    boolean isCounted = quotas.hasQueueTree() && !quotas.lendsQuota() && !helpsAnywhere;
    // Free capacity decides what is short where queues count several resources.
    remembersFailures = isCounted && quotas.resources().size() == 1;
    quotaRetries = new QuotaRetries(table, remembersFailures);
    victims = new VictimSearch(table, reach(placer, claims), compaction, isCounted);
    freed = new FreedNodes(table, placer, helpsAnywhere, bounds.areSearchesBounded());
  }

  private static VictimSearch.Reach reach(Placer placer, @Nullable ClaimPass claims) {
    return claims == null
        ? VictimSearch.Reach.of(placer, placer)
        : new VictimSearch.Reach(
            job -> claims.ofWinner(job, placer), job -> claims.ofMoved(job, placer));
  }

  /** Tries jobs in turn order, and leaves what remains on the agenda. */
  void run() {
    if (claims != null) {
      tryBeside(claims);
    } else if (table.hasOneHead()) {
      tryFromHead();
    } else {
      tryByClass();
    }
    if (cutShort) {
      leaveOpen();
      if (table.isBatched() || !planned.jobs().isEmpty() || !singled.isEmpty()) {
        table.batched().leaveOpen(planned.left(singled, turn.hasGrown()));
      }
    } else {
      planned.countBypasses();
      agenda.settle();
    }
    agenda.retainLater(classes);
  }

  private void leaveOpen() {
    if (claims == null) {
      singled.forEach(job -> classes.wake(job.placementClass()));
    }
    agenda.cut(new Agenda.Cut(table.now(), turn.rest(), turn.report()));
    quotas.cut();
    if (freed.hasBegun()) {
      @Nullable JobEntry lowest = freed.lowest();
      boolean isOneQueue = policy.queueOrder().isEmpty() && !quotas.hasQueueTree();
      agenda.askedUpTo(
          lowest == null ? Long.MAX_VALUE : lowest.rank(),
          lowest == null || !isOneQueue ? -1 : lowest.sequence() - 1);
    }
  }

  private void tryFromHead() {
    boolean looksAgain = new MoveBudget(table).isDue();
    @Nullable JobEntry head = eligible.first();
    while (head != null && !isOver() && (looksAgain || !isParked(head)) && attempt(head)) {
      head = eligible.first();
    }
    agenda.parkHead(cutShort ? null : head);
  }

  private boolean isParked(JobEntry head) {
    return head.equals(agenda.parkedHead()) && !freed.mayHelp(head) && !planned.contains(head);
  }

  /** Returns true if a limit of the event is reached; what is left to be tried is not asked. */
  private boolean isOver() {
    cutShort |= (startsLeft == 0 || searchesLeft == 0) && !eligible.isEmpty();
    return cutShort;
  }

  private void tryByClass() {
    if (agenda.hasGrown()) {
      freed.begin();
    }
    table.queues().arrange();
    takeInChanges();
    tryReady();
    planned.deferredInVain().forEach(this::single);
    tryReady();
    while (!cutShort && quotaRetries.wake()) {
      tryReady();
    }
  }

  /**
   * Tries every eligible job in turn order, overdue ones first but for promised ones, and again
   * from the first one after a start that may help those before it. Here a class is parked if a
   * search for victims failed.
   */
  private void tryBeside(ClaimPass reservations) {
    table.queues().arrange();
    Deque<JobEntry> overdue;
    if (turn.goesOn() && agenda.isCut()) {
      overdue = new ArrayDeque<>(reservations.findOverdue());
      singled.addAll(planned.singled());
    } else {
      wakeAll();
      overdue = beginRound(reservations);
    }
    @Nullable JobEntry job = nextOf(overdue);
    while (job != null && !isOver()) {
      singled.remove(job);
      attemptBeside(reservations, job);
      if (reservations.isStale()) {
        overdue = beginRound(reservations);
      }
      job = nextOf(overdue);
    }
  }

  /** Has every job be tried, beside repaired reservations; returns the overdue ones. */
  private Deque<JobEntry> beginRound(ClaimPass reservations) {
    quotas.admission().releaseReservations();
    Deque<JobEntry> overdue = new ArrayDeque<>(reservations.refresh());
    quotaRetries.wake();
    singled.addAll(eligible.inOrder());
    return overdue;
  }

  private void wakeAll() {
    classes.firsts().forEach(job -> classes.wake(job.placementClass()));
  }

  private @Nullable JobEntry nextOf(Deque<JobEntry> overdue) {
    while (!overdue.isEmpty() && !singled.contains(overdue.element())) {
      overdue.remove();
    }
    @Nullable JobEntry first = singled.first();
    boolean isPromised = first != null && first.precedesQueues();
    return overdue.isEmpty() || isPromised ? first : overdue.element();
  }

  private void attemptBeside(ClaimPass reservations, JobEntry job) {
    if (eligible.hasToWaitForTurn(job)
        && !reservations.isReserved(job)
        && eligible.headOf(job).filter(reservations::isReserved).isEmpty()) {
      return;
    }
    Optional<Placement> found = reservations.find(job);
    if (found.isPresent()) {
      start(job, found.get(), ScheduledReason.of(table, job, found.get()));
      return;
    }
    boolean exceeds = quotas.admission().excess(job).isPresent() && !quotas.lendsQuota();
    boolean maySearch =
        (exceeds ? mayRelieveLimit(job) : victims.mayFind())
            && (job.precedesQueues() || !reservations.startsSoon())
            && !classes.isParked(job);
    if (maySearch && startInsteadOfOthers(job)) {
      return;
    }
    if (maySearch) {
      classes.park(job);
    }
    reservations.reserve(job);
    quotas.admission().reserveFor(job, eligible);
  }

  /** Makes classes ready that this event may help, unless it only goes on with the one before. */
  private void takeInChanges() {
    if (agenda.isCut() && (quotas.areAsCut() || (quotas.lendsQuota() && turn.goesOn()))) {
      quotaRetries.resume();
    } else {
      boolean areAny = !classes.ready().isEmpty() || !planned.jobs().isEmpty();
      if (quotas.lendsQuota() && (agenda.hasGrown() || areAny)) {
        // Reservations for first jobs are made in one round over all of them.
        quotas.lookAgain();
      }
      quotaRetries.wake();
    }
    if (new MoveBudget(table).isDue()) {
      wakeAll();
    }
    if (planned.isResumed()) {
      singled.addAll(planned.singled());
    } else {
      singled.addAll(planned.jobs());
      planned.notToBeBypassed().forEach(this::single);
    }
  }

  private void single(JobEntry job) {
    failed.remove(job.placementClass());
    singled.add(job);
  }

  private void tryReady() {
    while (!isOver()) {
      @Nullable JobEntry job = next();
      if (job == null) {
        return;
      }
      if (job.equals(freed.peek())) {
        freed.skip();
      }
      boolean isSingled = singled.contains(job);
      singled.remove(job);
      if (isSingled && failed.contains(job.placementClass()) && !planned.contains(job)) {
        continue;
      }
      if (isKnownToFail(job) || !attempt(job)) {
        park(job);
      }
    }
  }

  /** Returns true if a parked job that pending growth may help still finds too little capacity. */
  private boolean isKnownToFail(JobEntry job) {
    return classes.isParked(job) && !planned.contains(job) && freed.isTooLittle(job);
  }

  /** Returns the next job in turn to be tried; null if there is none. */
  private @Nullable JobEntry next() {
    return earlier(earlier(classes.ready().first(), freed.peek()), singled.first());
  }

  private static @Nullable JobEntry earlier(@Nullable JobEntry one, @Nullable JobEntry other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return JobOrders.TURN.compare(one, other) <= 0 ? one : other;
  }

  private void park(JobEntry job) {
    if (planned.defers(job)) {
      @Nullable JobEntry next = eligible.peers(job).next(job);
      if (next != null) {
        singled.add(next);
      }
    } else {
      failed.add(job.placementClass());
    }
    classes.park(job);
  }

  private boolean attempt(JobEntry job) {
    return !eligible.hasToWaitForTurn(job) && tryToStart(job);
  }

  private boolean tryToStart(JobEntry job) {
    if (quotas.admission().excess(job).isPresent() && !quotas.lendsQuota()) {
      boolean starts = mayRelieveLimit(job) && startInsteadOfOthers(job);
      if (!starts) {
        job.shortage().exceed(true);
        planned.giveUp(job);
      }
      return starts;
    }
    Placer within = QuotaPlacer.of(placer, quotas, job);
    Optional<Placement> claimed = planned.claim(job, within);
    Optional<Placement> found =
        claimed.isPresent() || freed.isKnownToLack(job) ? claimed : planned.find(job, within);
    if (found.isPresent()) {
      boolean isPlanned = claimed.isPresent();
      Placement to = found.get();
      start(
          job,
          to,
          isPlanned ? new Reason.Planned(planned.number()) : ScheduledReason.of(table, job, to));
      return true;
    }
    boolean mayFind = victims.mayFind() && !planned.defers(job) && !freed.isTooLittle(job);
    boolean starts = mayFind && startInsteadOfOthers(job);
    if (!starts) {
      noteFailure(job);
      quotas.admission().reserveFor(job, eligible);
    }
    return starts;
  }

  /** Returns true if others may give way so that a job stays within the limit that blocks it. */
  private boolean mayRelieveLimit(JobEntry job) {
    return quotaRetries.mayEvictBelowLimit(job) || victims.mayShrinkBelowLimit(job);
  }

  /** Starts the job if others give way; returns true if it started. */
  private boolean startInsteadOfOthers(JobEntry job) {
    if (victims.mayFindFor(job)) {
      searchesLeft--;
      turn.countSearch();
    }
    return switch (victims.find(job)) {
      case VictimSearch.Result.Found found -> {
        startOn(found.plan(), job);
        yield true;
      }
      case VictimSearch.Result.NotFound none -> {
        if (none.mayFitLater()) {
          agenda.tryLater(job.placementClass(), table.now());
        }
        yield false;
      }
    };
  }

  private void noteFailure(JobEntry job) {
    if (!planned.defers(job)) {
      freed.failed(job);
      if (remembersFailures) {
        quotas.noteFailure(job);
      }
    }
  }

  private void startOn(EvictionPlan plan, JobEntry winner) {
    MakingWay.carryOut(turn, plan, winner);
    boolean decides = table.ranksAloneDecide() && !winner.isPromised() && plan.moves().isEmpty();
    long lowest =
        plan.leaving().stream()
            .mapToLong(
                each -> decides && each instanceof JobEntry victim ? victim.rank() : Long.MIN_VALUE)
            .min()
            .orElse(Long.MIN_VALUE);
    start(winner, plan.placement(), ScheduledReason.of(table, winner, plan.placement()));
    // Capacity may be left over for jobs of this rank and higher ones.
    failed.clear();
    freed.preempted(lowest);
    if (quotas.hasQueueTree() && !quotas.lendsQuota()) {
      quotaRetries.wakeNoLongerBlocked();
    }
  }

  private void start(JobEntry job, Placement placement, Reason reason) {
    quotaRetries.wakeBehind(job);
    turn.start(job, placement, reason);
    // The walk that asks about pending growth may have come past the next of its kind.
    classes.first(job.placementClass()).filter(classes::mayBeHelped).ifPresent(singled::add);
    freed.started(job);
    startsLeft--;
    turn.countStart();
    table.queues().arrange();
    singled.reorder();
    planned.started(job, placement);
    if (claims != null) {
      claims.started(job, victims.mayFind());
      if (claims.isStale()) {
        wakeAll();
      }
    }
  }
}
