package io.github.liquidscheduler.scheduler.start;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.scheduler.elastic.Compaction;
import io.github.liquidscheduler.scheduler.eviction.EvictionPlan;
import io.github.liquidscheduler.scheduler.eviction.MoveBudget;
import io.github.liquidscheduler.scheduler.eviction.QuotaPlacer;
import io.github.liquidscheduler.scheduler.eviction.VictimSearch;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.PlacementClass;
import io.github.liquidscheduler.scheduler.queue.Quotas;
import io.github.liquidscheduler.scheduler.queue.RetryState;
import io.github.liquidscheduler.scheduler.queue.UnfinishedPass;
import io.github.liquidscheduler.scheduler.queue.WaitingJobs;
import io.github.liquidscheduler.scheduler.turn.PlannedStarts;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.scheduling.Reason;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/*
 * Idea: a pass tries only jobs whose answer may have changed: untried ones, first jobs of classes
 * that released capacity may help (FreedNodes), and first jobs that a change in quotas may unblock
 * (QuotaRetries), all in one turn order. A failure of one job speaks for its class.
 * Invariants: decisions are those of a pass that tries every job in policy order (RetryLaws,
 * QueueRetryLaws); a pass stopped by EventBounds continues in the next event as if it had not
 * stopped (ShortEventLaws, ShortQueueEventLaws); nobody is stopped in the turn in which it
 * started.
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
 * retried only if capacity has grown for it or another job comes before it.
 *
 * <p>With bypass, one job of each placement class is tried at a time, in policy order over all
 * classes. A failed class is done: available capacity only shrinks as ranks rise and as the pass
 * goes on. The one exception: a pre-emption may leave capacity for ranks at or above its victims',
 * so that these are retried. If an event released nothing for a job, it is tried only if it is new
 * and no job of its class, of the same or a lower rank, is known to fail.
 *
 * <p>A batch plan changes the placements only: a planned job takes its placement if it still fits.
 * Deferrable jobs leave capacity to planned jobs behind them.
 */
final class StartPass {

  private final Turn turn;
  private final Placer placer;
  private final JobTable table;
  private final RetryState changes;
  private final WaitingJobs eligible;
  private final SchedulingPolicy policy;
  private final PlannedStarts planned;
  private FreedNodes freed;
  private final Quotas quotas;
  private final TurnOrderedJobs candidates = new TurnOrderedJobs();
  private final Set<PlacementClass> failed = new HashSet<>();
  private final Set<PlacementClass> retried = new HashSet<>();
  private final Set<JobEntry> started;
  private final QuotaRetries quotaRetries;
  private final boolean resumes;
  private final boolean remembersFailures;
  private final VictimSearch victims;
  private final Set<JobEntry> mayStartNext = new LinkedHashSet<>();
  private boolean someMayStartNext;
  private int startsLeft;
  private int searchesLeft;
  private boolean cutShort;

  StartPass(Turn turn, Placer placer, Optional<Compaction> compaction, EventBounds bounds) {
    this.turn = turn;
    this.placer = placer;
    table = turn.jobs();
    changes = table.changes();
    eligible = table.eligible();
    policy = table.policy();
    planned = turn.planned();
    started = turn.started();
    quotas = table.quotas();
    EventBounds applied = quotas.lendsQuota() ? EventBounds.NONE : bounds;
    startsLeft = applied.starts();
    searchesLeft = applied.searches();
    boolean helpsAnywhere =
        !placer.isCapacityBound()
            || !planned.jobs().isEmpty()
            || compaction.isPresent()
            || (quotas.hasQueueTree() && table.changesSizes())
            || table.preemption().mostMoves() > 0;
    boolean isCounted = quotas.hasQueueTree() && !quotas.lendsQuota() && !helpsAnywhere;
    // Free capacity decides what is short where queues count several resources.
    remembersFailures = isCounted && quotas.resources().size() == 1;
    quotaRetries = new QuotaRetries(table, remembersFailures, this::retry);
    victims = new VictimSearch(table, placer, compaction, started, isCounted);
    freed = new FreedNodes(table, placer, helpsAnywhere);
    resumes =
        changes.unfinished() != null
            && turn.event() instanceof ClusterEvent.TimePassed
            && table.isUnchangedSinceLastTurn();
  }

  /** Returns true if nothing has happened since the last event left a pass unfinished. */
  boolean resumes() {
    return resumes;
  }

  /** Reuses the growth that the unfinished pass has counted. */
  void resumeWith(FreedNodes known) {
    freed = known;
  }

  /** Returns the counted growth. */
  FreedNodes freed() {
    return freed;
  }

  /** Restores the progress of the pass that the last event left unfinished. */
  private void resume() {
    @Nullable UnfinishedPass before = changes.unfinished();
    if (before == null) {
      return;
    }
    started.addAll(before.started());
    someMayStartNext = before.mayStartNext();
    if (resumes) {
      candidates.addAll(before.candidates());
      retried.addAll(before.retried());
      failed.addAll(before.failed());
      quotaRetries.addFailedUnderQuotas(before.failedUnderQuotas());
    } else {
      firstsOf(before.candidates()).forEach(this::retry);
      quotaRetries.addFailedUnderQuotas(firstsOf(before.failedUnderQuotas()));
    }
  }

  /** Returns the present first jobs of the classes of the given jobs. */
  private List<JobEntry> firstsOf(List<JobEntry> jobs) {
    List<JobEntry> firsts = new ArrayList<>();
    for (JobEntry job : jobs) {
      eligible.byClass().first(job.placementClass()).ifPresent(firsts::add);
    }
    return firsts;
  }

  /** Returns true if the pass reached a limit before all jobs were tried. */
  boolean isCutShort() {
    return cutShort;
  }

  /**
   * Saves the lowest rank that the growth may still help; in a queue tree returns the progress of
   * the pass.
   */
  Optional<UnfinishedPass> leaveOpen() {
    leaveOpenFromLowest();
    if (!quotas.hasQueueTree()) {
      return Optional.empty();
    }
    UnfinishedPass pass =
        new UnfinishedPass(
            candidates.toList(),
            retried,
            failed,
            quotaRetries.failedUnderQuotas(),
            started,
            someMayStartNext);
    changes.leaveUnfinished(pass);
    return Optional.of(pass);
  }

  private void leaveOpenFromLowest() {
    if (!freed.hasBegun()) {
      changes.leaveOpen(Long.MIN_VALUE, -1);
      return;
    }
    @Nullable JobEntry lowest = freed.lowest();
    for (JobEntry job : candidates) {
      lowest = lowest == null || JobEntry.RANK.compare(job, lowest) < 0 ? job : lowest;
    }
    boolean isOneQueue = policy.queueOrder().isEmpty() && !quotas.hasQueueTree();
    changes.leaveOpen(
        lowest == null ? Long.MAX_VALUE : lowest.rank(),
        lowest == null || !isOneQueue ? -1 : lowest.sequence() - 1);
  }

  /**
   * Schedules for the next turn the jobs for which victims that started in this turn may leave
   * then.
   */
  void leaveToNext() {
    if (quotas.hasQueueTree()) {
      return;
    }
    for (JobEntry job : mayStartNext) {
      // A job that started and was stopped since may have to wait for a plan or a time.
      if (!job.isRunning() && table.tryNext(job)) {
        changes.leaveOpen(Long.MIN_VALUE, -1);
      }
    }
  }

  void tryFromHead() {
    resume();
    boolean looksAgain = new MoveBudget(table).isDue();
    @Nullable JobEntry head = eligible.first();
    while (head != null && !isOver() && (looksAgain || !isKnownToFail(head)) && attempt(head)) {
      head = eligible.first();
    }
    changes.block(cutShort ? null : head);
  }

  private boolean isOver() {
    cutShort |= (startsLeft == 0 || searchesLeft == 0) && !eligible.isEmpty();
    return cutShort;
  }

  private boolean isKnownToFail(JobEntry head) {
    return head.equals(changes.blocked())
        && !freed.mayHelp(head)
        && !changes.fresh().contains(head)
        && !planned.contains(head);
  }

  void tryByClass() {
    if (changes.hasGrown() && !freed.hasBegun()) {
      freed.begin();
    }
    table.arrangeQueues();
    resume();
    if (!resumes) {
      addHelpedByEvent();
    }
    tryCandidates();
    candidates.addAll(planned.deferredInVain());
    tryCandidates();
    while (!cutShort && quotaRetries.addAll()) {
      tryCandidates();
    }
    if (!cutShort) {
      quotas.leaveUnfinished(someMayStartNext);
    }
  }

  private void addHelpedByEvent() {
    if (quotas.lendsQuota() && (changes.hasGrown() || !changes.fresh().isEmpty())) {
      quotas.lookAgain();
    }
    quotaRetries.addAll();
    if (new MoveBudget(table).isDue()) {
      addAll();
    }
    addUntried(Long.MIN_VALUE);
    candidates.addAll(planned.jobs());
    candidates.addAll(planned.notToBeBypassed());
  }

  private void addAll() {
    eligible.byClass().firsts().forEach(this::retry);
  }

  private void retry(JobEntry job) {
    failed.remove(job.placementClass());
    retried.add(job.placementClass());
    candidates.add(job);
  }

  private void tryCandidates() {
    while (!isOver()) {
      @Nullable JobEntry job = nextCandidate();
      if (job == null) {
        return;
      }
      boolean hasAChance =
          planned.contains(job)
              || !(failed.contains(job.placementClass()) || isStillKnownToFail(job));
      if (hasAChance && !attempt(job) && !planned.defers(job)) {
        failed.add(job.placementClass());
        changes.fresh().remove(job);
      }
    }
  }

  /** Takes the next in turn of the candidates and the jobs that the growth may help, or null. */
  private @Nullable JobEntry nextCandidate() {
    @Nullable JobEntry helped = freed.peek();
    @Nullable JobEntry candidate = candidates.first();
    if (helped == null || (candidate != null && JobEntry.TURN.compare(candidate, helped) < 0)) {
      return candidates.poll();
    }
    freed.skip();
    candidates.remove(helped);
    return helped;
  }

  /** Returns true if the job failed before this event and the remaining growth does not help it. */
  private boolean isStillKnownToFail(JobEntry job) {
    return !retried.contains(job.placementClass())
        && changes.hasGrownFor(job)
        && hasFailingPeer(job)
        && (!freed.mayHelp(job) || freed.isTooLittle(job));
  }

  /** Adds untried jobs from this rank on. */
  private void addUntried(long rank) {
    for (JobEntry job : changes.fresh()) {
      if (job.rank() >= rank && (isBeforeWalk(job) || !hasFailingPeer(job))) {
        candidates.add(job);
      }
    }
  }

  /**
   * Returns true if a job comes before the position of the growth walk: its peers have not failed
   * yet.
   */
  private boolean isBeforeWalk(JobEntry job) {
    return changes.hasGrown() && job.rank() < changes.grownFrom();
  }

  private boolean hasFailingPeer(JobEntry job) {
    for (JobEntry peer : eligible.peers(job)) {
      if (policy.preempts() && peer.rank() > job.rank()) {
        return false;
      }
      if (!changes.fresh().contains(peer)) {
        return true;
      }
    }
    return false;
  }

  /** Tries one job; if it starts, the next of its class is a candidate. */
  private boolean attempt(JobEntry job) {
    @Nullable JobEntry next = eligible.peers(job).next(job);
    if (quotas.hasToWaitForTurn(job, eligible) || !tryToStart(job)) {
      return false;
    }
    if (next != null && (changes.hasGrownFor(next) || retried.contains(next.placementClass()))) {
      candidates.add(next);
    }
    return true;
  }

  private boolean tryToStart(JobEntry job) {
    if (quotas.excess(job).isPresent() && !quotas.lendsQuota()) {
      boolean starts = quotaRetries.mayEvictBelowLimit(job) && startInsteadOfOthers(job);
      if (!starts) {
        job.shortage().exceed(true);
      }
      return starts;
    }
    Placer within = QuotaPlacer.of(placer, quotas, job);
    Optional<Placement> claimed = planned.claim(job, within);
    Optional<Placement> found =
        claimed.isPresent() || freed.isKnownToLack(job) ? claimed : planned.find(job, within);
    if (found.isPresent()) {
      start(job, found.get(), claimed.isPresent() ? planned() : scheduled(job, found.get()));
      return true;
    }
    boolean mayFind = victims.mayFind() && !planned.defers(job) && !freed.isTooLittle(job);
    boolean starts = mayFind && startInsteadOfOthers(job);
    if (!starts) {
      noteFailure(job);
      quotas.reserveFor(job, eligible);
    }
    return starts;
  }

  /** Starts the job if others give way; returns true if it started. */
  private boolean startInsteadOfOthers(JobEntry job) {
    if (searchesLeft > 0 && quotas.hasQueueTree() && quotas.mayTakeBack(job)) {
      searchesLeft--;
    }
    return switch (victims.find(job)) {
      case VictimSearch.Result.Found found -> {
        startOn(found.plan(), job);
        yield true;
      }
      case VictimSearch.Result.NotFound none -> {
        if (none.mayFitNext()) {
          noteMayStartNext(job);
        }
        yield false;
      }
    };
  }

  private void noteMayStartNext(JobEntry job) {
    if (quotas.hasQueueTree()) {
      someMayStartNext = true;
      quotas.noteMayStartNext(job.placementClass());
    } else {
      mayStartNext.add(job);
    }
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
    long lowest = plan.moves().isEmpty() ? Long.MAX_VALUE : Long.MIN_VALUE;
    for (EvictionSearch.Candidate leaving : plan.leaving()) {
      if (leaving instanceof JobEntry victim) {
        planned.stopped(victim);
        lowest = table.ranksAloneDecide() ? Math.min(lowest, victim.rank()) : Long.MIN_VALUE;
      } else {
        lowest = Long.MIN_VALUE;
      }
    }
    start(winner, plan.placement(), scheduled(winner, plan.placement()));
    retryFrom(lowest);
  }

  /** Retries jobs of this rank and higher ones, for which capacity may be left over. */
  private void retryFrom(long rank) {
    failed.clear();
    freed.preempted(rank);
    addUntried(rank);
    if (quotas.hasQueueTree() && !quotas.lendsQuota()) {
      quotaRetries.addNoLongerBlocked();
    }
  }

  private void start(JobEntry job, Placement placement, Reason reason) {
    quotaRetries.addBehind(job);
    turn.start(job, placement, reason);
    freed.started(job);
    startsLeft--;
    if (victims.mayStopOrMove()) {
      started.add(job);
    }
    table.arrangeQueues();
    candidates.reorder();
    planned.started(job, placement);
  }

  private Reason scheduled(JobEntry job, Placement placement) {
    return ScheduledReason.of(table, job, placement);
  }

  private Reason planned() {
    return new Reason.Planned(planned.number());
  }
}
