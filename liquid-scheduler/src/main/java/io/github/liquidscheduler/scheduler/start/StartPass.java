package io.github.liquidscheduler.scheduler.start;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.PlacementClass;
import io.github.liquidscheduler.scheduler.queue.RetryState;
import io.github.liquidscheduler.scheduler.queue.WaitingJobs;
import io.github.liquidscheduler.scheduler.window.PlannedPlacements;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.scheduling.Reason;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Gives jobs their turns after an event, starting what fits.
 *
 * <p>Without skipping, jobs start from the head of the queue until one does not fit; that one is
 * not tried again until room has grown for it or another job stands before it.
 *
 * <p>With skipping, one job of each shape is tried at a time, in the order of turns over all
 * shapes. A shape that fails is done with: jobs behind have no better chance, since the room that
 * is free, or held by jobs they may pre-empt, only shrinks as ranks rise and as the pass goes on.
 * There is one exception: a pre-emption may leave room over that jobs could not have taken if they
 * rank no lower than its victims, so these are tried anew. If an event made no room for a job, it
 * is tried only if it is fresh and no mate of its shape, of the same or a lower rank, is known to
 * fail.
 *
 * <p>A batch plan changes nothing of this but the places: a job that has one in the plan takes it
 * when its turn comes, if it is still free. Only deferrable jobs leave to those planned behind them
 * what they could have used themselves.
 */
public final class StartPass {

  private final JobTable table;
  private final RetryState changes;
  private final WaitingJobs open;
  private final SchedulingPolicy policy;
  private final PlannedPlacements plan;
  private final Preemption preemption;
  private final TreeSet<JobEntry> candidates = new TreeSet<>(JobEntry.TURN);
  private final Set<PlacementClass> failed = new HashSet<>();

  public StartPass(JobTable table, Placer placer, PlannedPlacements plan) {
    this.table = table;
    this.plan = plan;
    changes = table.changes();
    open = table.open();
    policy = table.policy();
    preemption = new Preemption(table, placer);
  }

  /** Notes that the waiting jobs have been tried already. */
  public void skip() {
    changes.block(open.first());
    changes.settle();
  }

  /** Adds the decisions of this turn and leaves every waiting job settled. */
  public void run(List<Decision> decisions) {
    if (policy.allowsBypass()) {
      tryByShape(decisions);
    } else {
      tryFromHead(decisions);
    }
    plan.clear();
    candidates.clear();
    failed.clear();
    changes.settle();
  }

  private void tryFromHead(List<Decision> decisions) {
    @Nullable JobEntry head = open.first();
    while (head != null && !isKnownToFail(head) && attempt(head, decisions)) {
      head = open.first();
    }
    changes.block(head);
  }

  private boolean isKnownToFail(JobEntry head) {
    return head.equals(changes.blocked()) && !changes.hasGrownFor(head) && !changes.fresh().contains(head);
  }

  private void tryByShape(List<Decision> decisions) {
    if (changes.hasGrown()) {
      candidates.addAll(open.firstsFrom(changes.grownFrom()));
    }
    for (JobEntry job : changes.fresh()) {
      if (!changes.hasGrownFor(job) && !hasFailingPeer(job)) {
        candidates.add(job);
      }
    }
    candidates.addAll(plan.jobs());
    candidates.addAll(plan.undeferrable());
    tryCandidates(decisions);
    candidates.addAll(plan.deferredInVain());
    tryCandidates(decisions);
  }

  private void tryCandidates(List<Decision> decisions) {
    while (!candidates.isEmpty()) {
      JobEntry job = candidates.removeFirst();
      boolean hasAChance = plan.contain(job) || !failed.contains(job.shape());
      if (hasAChance && !attempt(job, decisions) && !plan.letsWait(job)) {
        failed.add(job.shape());
      }
    }
  }

  private boolean hasFailingPeer(JobEntry job) {
    for (JobEntry mate : open.mates(job)) {
      if (policy.preempts() && mate.rank() > job.rank()) {
        return false;
      }
      if (!changes.fresh().contains(mate)) {
        return true;
      }
    }
    return false;
  }

  /** Tries one job, and lines up who may be tried next if it starts. */
  private boolean attempt(JobEntry job, List<Decision> decisions) {
    @Nullable JobEntry next = open.mates(job).next(job);
    Optional<Placement> planned = plan.claim(job);
    Optional<Placement> place = planned.or(() -> plan.find(job));
    if (place.isPresent()) {
      start(job, place.get(), planned.isPresent() ? planned() : turn(job), decisions);
    } else {
      boolean takesRoom = policy.preempts() && !plan.letsWait(job);
      Optional<Preemption.Room> room = takesRoom ? preemption.find(job) : Optional.empty();
      if (room.isEmpty()) {
        return false;
      }
      take(job, room.get(), decisions);
    }
    if (next != null && changes.hasGrownFor(next)) {
      candidates.add(next);
    }
    return true;
  }

  private void take(JobEntry winner, Preemption.Room room, List<Decision> decisions) {
    Reason reason = new Reason.PreemptedByPriority(policy.name(), winner.id());
    long lowest = Long.MAX_VALUE;
    for (JobEntry victim : room.victims()) {
      decisions.add(new Decision.Preempt(victim.id(), reason));
      victim.countPreemption();
      table.stop(victim, true);
      plan.stopped(victim);
      lowest = Math.min(lowest, victim.rank());
    }
    start(winner, room.place(), turn(winner), decisions);
    failed.clear();
    candidates.addAll(open.firstsFrom(lowest));
  }

  private void start(JobEntry job, Placement place, Reason reason, List<Decision> decisions) {
    decisions.add(new Decision.Start(job.id(), place, reason));
    table.start(job, place);
    plan.started(job, place);
  }

  private Reason turn(JobEntry job) {
    return new Reason.Scheduled(policy.name(), open.position(job));
  }

  private Reason planned() {
    return new Reason.Planned(plan.request());
  }
}
