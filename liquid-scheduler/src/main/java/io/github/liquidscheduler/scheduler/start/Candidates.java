package io.github.liquidscheduler.scheduler.start;

import io.github.liquidscheduler.scheduler.eviction.MoveBudget;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.JobOrders;
import io.github.liquidscheduler.scheduler.job.PlacementClass;
import io.github.liquidscheduler.scheduler.queue.Agenda;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.Quotas;
import io.github.liquidscheduler.scheduler.queue.TurnOrderedJobs;
import io.github.liquidscheduler.scheduler.queue.WaitingClasses;
import io.github.liquidscheduler.scheduler.turn.PlannedStarts;
import io.github.liquidscheduler.scheduler.turn.Turn;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/*
 * Idea: a pass tries the first job of each class that is ready, or that pending growth may help
 * (HelpedClasses), the next in turn order first. A class that fails is parked, which speaks for the
 * jobs behind it; what a start or an eviction changes makes classes ready again (QuotaRetries).
 *   Nobody is tried beyond the share of a queue while a job within that of its own is left.
 * Invariants: decisions are those of a pass that tries every job in turn order (RetryLaws,
 * QueueRetryLaws); a pass that is stopped continues in the next event as if it had not stopped
 * (ShortEventLaws, ShortQueueEventLaws).
 * Cost: finding the next job O(queues) after a start, else O(log queues). EventBench and QueueBench.
 * Rejected: trying every waiting job after each event: exact, but seconds with many waiting jobs.
 */
/**
 * The jobs that a pass has still to try. Available capacity only shrinks as ranks rise and as the
 * pass goes on, so that a failed class is done. The one exception: a pre-emption may leave capacity
 * for ranks at or above its victims', so that these are asked again.
 */
final class Candidates {

  private final Turn turn;
  private final JobTable table;
  private final Agenda agenda;
  private final WaitingClasses classes;
  private final PlannedStarts planned;
  private final Quotas quotas;
  private final FreedNodes freed;
  private final HelpedClasses helped;
  private final QuotaRetries quotaRetries;
  private final boolean remembersFailures;
  // Jobs of a plan, and those deferred for them, which need not be the first of their classes.
  private final TurnOrderedJobs singled = new TurnOrderedJobs();
  private final Set<PlacementClass> failed = new HashSet<>();
  // Jobs that make their queues borrow, and those of them that may not any more.
  private final TurnOrderedJobs borrowing = new TurnOrderedJobs();
  private final TurnOrderedJobs again = new TurnOrderedJobs();
  private boolean triesBorrowing;

  /**
   * Makes the candidates of a turn.
   *
   * @param freed the filter by released capacity
   * @param remembersFailures whether failed searches for victims are remembered
   */
  Candidates(Turn turn, FreedNodes freed, boolean remembersFailures) {
    this.turn = turn;
    this.freed = freed;
    this.remembersFailures = remembersFailures;
    table = turn.jobs();
    agenda = table.agenda();
    classes = table.eligible().byClass();
    planned = turn.planned();
    quotas = table.quotas();
    helped = new HelpedClasses(table, freed);
    quotaRetries = new QuotaRetries(table, remembersFailures);
  }

  /** Returns the jobs that are tried apart from the first of their classes; live. */
  TurnOrderedJobs singled() {
    return singled;
  }

  /** Makes classes ready that this event may help, unless it only goes on with the one before. */
  void takeInChanges() {
    tryWithinShares();
    helped.begin();
    table.queues().arrange();
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

  /** Has a job be tried, whatever became of its class. */
  void single(JobEntry job) {
    failed.remove(job.placementClass());
    singled.add(job);
    tryWithinShares();
  }

  /** Makes all classes ready. */
  void wakeAll() {
    classes.firsts().forEach(job -> classes.wake(job.placementClass()));
  }

  /**
   * Makes classes ready that a quota change may unblock; returns true if there was a change since
   * the last call.
   */
  boolean wakeByQuotas() {
    boolean areAwake = quotaRetries.wake();
    tryWithinShares();
    return areAwake;
  }

  /**
   * Takes the next job in turn to be tried; null if there is none. Jobs that make their queues
   * borrow come after all others.
   */
  @Nullable JobEntry take() {
    @Nullable JobEntry job = next();
    while (!triesBorrowing && job != null && comesLast(job)) {
      setAside(job);
      job = next();
    }
    if (job == null && !triesBorrowing) {
      triesBorrowing = true;
      classes.ready().putBack();
      helped.putBack();
      job = next();
    }
    if (triesBorrowing) {
      job = earlier(job, firstAside());
    }
    if (job != null) {
      borrowing.remove(job);
      remove(job);
    }
    return job;
  }

  private boolean comesLast(JobEntry job) {
    return !table.isBatched() && !planned.contains(job) && quotas.admission().borrows(job);
  }

  /** Sets a job that makes its queue borrow aside, and its whole queue if every job there does. */
  private void setAside(JobEntry job) {
    boolean isSingled = singled.contains(job) || again.contains(job);
    if (isSingled || !quotas.admission().borrows(classes.ofQueueOf(job))) {
      remove(job);
      classes.postpone(job);
      borrowing.add(job);
    } else if (job.equals(helped.peek())) {
      helped.setAside();
    } else {
      classes.ready().setAside(job.queue());
    }
  }

  /** Has jobs within shares be tried first again. */
  private void tryWithinShares() {
    triesBorrowing = false;
    classes.ready().putBack();
    helped.putBack();
  }

  /** Returns the next of the jobs that were set aside and are first of their classes, or null. */
  private @Nullable JobEntry firstAside() {
    @Nullable JobEntry job = borrowing.first();
    while (job != null && !classes.first(job.placementClass()).filter(job::equals).isPresent()) {
      borrowing.remove(job);
      job = borrowing.first();
    }
    return job;
  }

  /** Returns the next job in turn of the queues that are not set aside, or null. */
  private @Nullable JobEntry next() {
    while (true) {
      @Nullable JobEntry job =
          earlier(
              earlier(classes.ready().first(), helped.peek()),
              earlier(singled.first(), again.first()));
      if (job == null
          || !singled.contains(job)
          || !failed.contains(job.placementClass())
          || planned.contains(job)) {
        return job;
      }
      remove(job);
    }
  }

  private void remove(JobEntry job) {
    if (job.equals(helped.peek())) {
      helped.skip();
    }
    again.remove(job);
    singled.remove(job);
  }

  private static @Nullable JobEntry earlier(@Nullable JobEntry one, @Nullable JobEntry other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return JobOrders.TURN.compare(one, other) <= 0 ? one : other;
  }

  /** Returns true if a parked job that pending growth may help still finds too little capacity. */
  boolean isKnownToFail(JobEntry job) {
    return classes.isParked(job) && !planned.contains(job) && freed.isTooLittle(job);
  }

  /** Parks the class of a job that failed, unless the job waits for planned ones. */
  void park(JobEntry job) {
    if (planned.defers(job)) {
      @Nullable JobEntry next = table.eligible().peers(job).next(job);
      if (next != null) {
        singled.add(next);
      }
    } else {
      failed.add(job.placementClass());
    }
    classes.park(job);
  }

  /** Notes that an attempt found neither capacity nor jobs that give way. */
  void failed(JobEntry job) {
    if (!planned.defers(job)) {
      freed.failed(job);
      if (remembersFailures) {
        quotas.noteFailure(job);
      }
    }
    quotas.admission().reserveFor(job, table.eligible());
  }

  /** Notes that a job is about to start. */
  void starts(JobEntry job) {
    quotaRetries.wakeBehind(job);
  }

  /** Notes that a job has started. */
  void started(JobEntry job) {
    // The walk that asks about pending growth may have come past the next of its kind.
    classes.first(job.placementClass()).filter(classes::mayBeHelped).ifPresent(singled::add);
    helped.started(job);
    tryWithinShares();
    table.queues().arrange();
    singled.reorder();
    borrowing.reorder();
    again.reorder();
  }

  /** Notes evictions, which may leave capacity for jobs of this rank and higher ones. */
  void evicted(long rank) {
    failed.clear();
    List<JobEntry> entitled = new ArrayList<>();
    borrowing.forEach(job -> entitled.addAll(comesLast(job) ? List.of() : List.of(job)));
    entitled.forEach(borrowing::remove);
    again.addAll(entitled);
    helped.preempted(rank);
    tryWithinShares();
    if (quotas.hasQueueTree() && !quotas.lendsQuota()) {
      quotaRetries.wakeNoLongerBlocked();
    }
  }

  /** Leaves the jobs still to be tried to the next event, beside those of ready classes. */
  void leaveOpen() {
    for (TurnOrderedJobs left : List.of(singled, borrowing, again)) {
      left.forEach(job -> classes.wake(job.placementClass()));
    }
  }

  /** Leaves pending growth to the next event, but for jobs that were asked about it. */
  void leaveGrowth() {
    if (helped.hasBegun()) {
      @Nullable JobEntry lowest = helped.lowest();
      boolean isOneQueue = table.policy().queueOrder().isEmpty() && !quotas.hasQueueTree();
      agenda.askedUpTo(
          lowest == null ? Long.MAX_VALUE : lowest.rank(),
          lowest == null || !isOneQueue ? -1 : lowest.sequence() - 1);
    }
  }
}
