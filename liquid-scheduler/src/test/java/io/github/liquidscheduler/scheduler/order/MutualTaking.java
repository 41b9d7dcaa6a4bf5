package io.github.liquidscheduler.scheduler.order;

import io.github.liquidscheduler.queue.Reclaiming;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/*
 * Idea: rights say who may take from which jobs at all. Beyond them a taking must leave the queues
 *   lacking less (TakingMeasure), so that jobs do not stop each other in turns, in however long a
 *   cycle.
 * Invariants: a job that is stopped could not stop the winner by any rule once it waits: what was not
 *   short for the winner is not short for its victim, and for the rest the measure would rise.
 *   Nobody is taken, shrunk or moved at the instant of its last change. A taking inside a queue
 *   leaves that within its entitlement or no larger; the winner's queue counts in everything that
 *   the winner takes, short or not, or else three jobs stop each other, each on another resource. A
 *   guarantee of something that is not short for the winner protects nobody. MutualTakingLaws.
 * Cost: O(n log n) in the running units.
 */
/** Decides which takings are allowed in one state. Immutable. */
public final class MutualTaking {

  private final TakingRules rules;
  private final List<TakingUnit> running;
  private final Instant now;

  /**
   * Makes the rules for a state.
   *
   * @param running everything that runs
   */
  public MutualTaking(TakingRules rules, Collection<TakingUnit> running, Instant now) {
    this.rules = rules;
    this.running = List.copyOf(running);
    this.now = now;
  }

  /** Returns true if the taking may be made. */
  public boolean allows(Taking taking) {
    return Stream.concat(taking.taken().stream(), taking.moved().stream())
            .allMatch(unit -> unit.changedAt().isBefore(now))
        && areRightful(taking)
        && lowersMeasure(taking);
  }

  /** Returns why a running unit has to give way to a winner; empty if it has not. */
  public Optional<TakingRight> right(
      TakingUnit winner, TakingUnit giver, ScarceResources shortage) {
    return right(winner, giver, shortage, new QueueSums(running));
  }

  private boolean areRightful(Taking taking) {
    QueueSums left = new QueueSums(running);
    for (TakingUnit giver : taking.taken()) {
      if (right(taking.winner(), giver, taking.shortage(), left).isEmpty()) {
        return false;
      }
      left.add(giver, -1);
    }
    return taking.taken().stream().noneMatch(giver -> isInQueueOf(taking.winner(), giver))
        || leavesQueueInShare(taking, left);
  }

  private Optional<TakingRight> right(
      TakingUnit winner, TakingUnit giver, ScarceResources shortage, QueueSums sums) {
    if (winner.kind() == TakingUnit.Kind.SURPLUS) {
      return Optional.empty();
    }
    if (giver.kind() == TakingUnit.Kind.SURPLUS) {
      return Optional.of(TakingRight.SURPLUS);
    }
    if (!giver.isPreemptible()) {
      return Optional.empty();
    }
    if (giver.kind() == TakingUnit.Kind.OPPORTUNISTIC && winner.isOrdinary()) {
      return Optional.of(TakingRight.OPPORTUNISTIC);
    }
    if (isInQueueOf(winner, giver)) {
      return rules.ranks().allows(winner, giver)
          ? Optional.of(TakingRight.LOWER_RANK)
          : Optional.empty();
    }
    return winner.isOrdinary() && giver.isOrdinary() && mayReclaim(winner, giver, shortage, sums)
        ? Optional.of(TakingRight.BORROWED)
        : Optional.empty();
  }

  private static boolean isInQueueOf(TakingUnit one, TakingUnit other) {
    return one.queue().index() == other.queue().index();
  }

  private boolean mayReclaim(
      TakingUnit winner, TakingUnit giver, ScarceResources shortage, QueueSums sums) {
    if (rules.form() == Reclaiming.NEVER || !shortage.concerns(giver.amounts())) {
      return false;
    }
    List<TurnQueue> mine = pathBeside(winner.queue(), giver.queue());
    TurnQueue theirs = pathBeside(giver.queue(), winner.queue()).getLast();
    boolean isInShare = mine.stream().allMatch(queue -> isInShare(winner, queue, sums));
    boolean isOwed = isOwed(winner, mine.getLast(), shortage, sums);
    return isInShare
        && shortage.resources().stream()
            .filter(resource -> giver.amounts().get(resource) > 0)
            .anyMatch(
                resource ->
                    sums.held(theirs, resource)
                        > (isOwed ? theirs.guaranteed(resource) : due(theirs, resource)));
  }

  private long due(TurnQueue queue, int resource) {
    return Math.max(queue.guaranteed(resource), Entitlement.of(rules.form(), queue, resource));
  }

  private boolean isInShare(TakingUnit winner, TurnQueue queue, QueueSums sums) {
    for (int resource = 0; resource < winner.amounts().resources(); resource++) {
      long most = Entitlement.of(rules.form(), queue, resource);
      long more = winner.amounts().get(resource);
      if (more > 0 && more > most - sums.held(queue, resource)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isOwed(
      TakingUnit winner, TurnQueue queue, ScarceResources shortage, QueueSums sums) {
    return shortage.resources().stream()
        .allMatch(
            resource ->
                winner.amounts().get(resource)
                    <= queue.guaranteed(resource) - sums.held(queue, resource));
  }

  /** Returns a queue and its ancestors that do not contain the other queue. */
  private static List<TurnQueue> pathBeside(TurnQueue queue, TurnQueue other) {
    List<TurnQueue> path = new ArrayList<>();
    for (@Nullable TurnQueue at = queue; at != null && !contains(at, other); at = at.parent()) {
      path.add(at);
    }
    return path;
  }

  private static boolean contains(TurnQueue queue, TurnQueue other) {
    for (@Nullable TurnQueue at = other; at != null; at = at.parent()) {
      if (at.index() == queue.index()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns true if the winner's queue and its ancestors are within their entitlement to what it
   * takes afterwards, or hold no more of it than before.
   */
  private boolean leavesQueueInShare(Taking taking, QueueSums left) {
    QueueSums before = new QueueSums(running);
    for (@Nullable TurnQueue at = taking.winner().queue(); at != null; at = at.parent()) {
      for (int resource = 0; resource < taking.winner().amounts().resources(); resource++) {
        long more = taking.winner().amounts().get(resource);
        long after = left.held(at, resource) + more;
        if (more > 0 && after > due(at, resource) && after > before.held(at, resource)) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean lowersMeasure(Taking taking) {
    return new TakingMeasure(rules, taking.shortage(), after(taking))
        .isLowerThan(new TakingMeasure(rules, taking.shortage(), running));
  }

  /** Returns everything that runs after a taking; the winner changes now. */
  List<TakingUnit> after(Taking taking) {
    List<TakingUnit> after = new ArrayList<>(running);
    after.removeIf(unit -> taking.taken().stream().anyMatch(unit::isSameAs));
    after.add(taking.winner());
    return after;
  }
}
