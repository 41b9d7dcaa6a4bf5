package io.github.liquidscheduler.placement;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Placer;
import io.github.liquidscheduler.scheduling.Reason;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Gives jobs their turns after an event, starting what fits.
 *
 * <p>Without skipping, jobs start from the head of the queue until one does not fit; that one is
 * not tried again until room has grown or another job stands before it.
 *
 * <p>With skipping, one job of each shape is tried at a time, in the order of turns over all
 * shapes. A shape that fails is done with: jobs behind have no better chance, since the room that
 * is free, or held by jobs of higher rank, only shrinks as the pass goes on. There is one
 * exception: a pre-emption may leave room over that jobs ranking behind the victims could not have
 * taken. So after one, all shapes are tried anew from that turn on. If an event made no room, only
 * fresh jobs are tried, unless a mate of the same shape and no higher rank is known to fail.
 */
final class Pass {

  private final JobTable table;
  private final WaitingJobs waiting;
  private final QueuePolicy policy;
  private final Placer placer;
  private final Preemption preemption;
  private final PriorityQueue<JobEntry> candidates = new PriorityQueue<>(JobEntry.TURN);
  private final Set<Shape> failed = new HashSet<>();
  private @Nullable JobEntry blocked;

  Pass(JobTable table, Placer placer) {
    this.table = table;
    this.placer = placer;
    waiting = table.waiting();
    policy = table.policy();
    preemption = new Preemption(table, placer);
  }

  /** Notes that the waiting jobs have been tried already. */
  void skip() {
    blocked = waiting.first();
    table.settle();
  }

  /** Adds the decisions of this turn and leaves every waiting job settled. */
  void run(List<Decision> decisions) {
    if (policy.skips()) {
      tryByShape(decisions);
    } else {
      tryFromHead(decisions);
    }
    candidates.clear();
    failed.clear();
    table.settle();
  }

  private void tryFromHead(List<Decision> decisions) {
    @Nullable JobEntry head = waiting.first();
    while (head != null
        && (table.hasGrown() || !head.equals(blocked))
        && attempt(head, decisions)) {
      head = waiting.first();
    }
    blocked = head;
  }

  private void tryByShape(List<Decision> decisions) {
    candidates.addAll(table.hasGrown() ? waiting.firsts() : freshWithAChance());
    while (!candidates.isEmpty()) {
      JobEntry job = candidates.remove();
      if (!job.isRunning() && !failed.contains(job.shape()) && !attempt(job, decisions)) {
        failed.add(job.shape());
      }
    }
  }

  /** Tries one job, and lines up who may be tried next if it starts. */
  private boolean attempt(JobEntry job, List<Decision> decisions) {
    Optional<Placement> place = placer.place(table.cluster(), job.job());
    if (place.isPresent()) {
      @Nullable JobEntry next = waiting.mates(job.shape()).higher(job);
      start(job, place.get(), decisions);
      if (table.hasGrown() && next != null) {
        candidates.add(next);
      }
      return true;
    }
    Optional<Preemption.Room> room = policy.preempts() ? preemption.find(job) : Optional.empty();
    room.ifPresent(found -> take(job, found, decisions));
    return room.isPresent();
  }

  private void take(JobEntry winner, Preemption.Room room, List<Decision> decisions) {
    candidates.addAll(waiting.nextOfEachShape(winner));
    failed.clear();
    table.grow();
    Reason reason = new Reason.Outranked(policy.name(), winner.id());
    for (JobEntry victim : room.victims()) {
      decisions.add(new Decision.Preempt(victim.id(), reason));
      victim.countPreemption();
      table.stop(victim, true);
      candidates.add(victim);
    }
    start(winner, room.place(), decisions);
  }

  private void start(JobEntry job, Placement place, List<Decision> decisions) {
    Reason reason = new Reason.Turn(policy.name(), waiting.position(job));
    decisions.add(new Decision.Start(job.id(), place, reason));
    table.start(job, place);
  }

  private List<JobEntry> freshWithAChance() {
    return table.fresh().stream().filter(job -> !hasFailingMate(job)).toList();
  }

  private boolean hasFailingMate(JobEntry job) {
    Collection<JobEntry> mates = waiting.mates(job.shape());
    for (JobEntry mate : mates) {
      if (policy.preempts() && mate.rank() > job.rank()) {
        return false;
      }
      if (!table.fresh().contains(mate)) {
        return true;
      }
    }
    return false;
  }
}
