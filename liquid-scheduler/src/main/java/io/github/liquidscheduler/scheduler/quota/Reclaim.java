package io.github.liquidscheduler.scheduler.quota;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/*
 * Idea: the rules are evaluated on held amounts minus the losses noted so far, always at the two
 * siblings below the common ancestor of winner and donor. The state of the winner's branch
 * (WinnerSide) is all that a donor's losses depend on, which makes them cacheable.
 * Invariants: only resources that are short for the winner decide: a guarantee of something that
 * nobody lacks protects nobody, and takes away no right; no winner ends above its share and at or
 * above a donor, so that no two queues reclaim from each other in turns; a donor keeps its
 * guarantee unless the winner is within its own; if several losses are allowed in some order, each
 * is allowed alone. QueueLaws and QueuesTest.
 * Cost: mayLose, lose and keepsLimits O(depth x resources); the first lose O(queues) for its
 * table.
 * Source: KAI-Scheduler's reclaim rules, with guarantees protected.
 */
/**
 * The rules of reclaim between queues with computed shares, while victims are removed
 * hypothetically. A donor loses a job only if the job holds a resource that is short for the winner
 * and of which
 *
 * <ul>
 *   <li>the donor uses more than its due, the larger of share and guarantee, and keeps its
 *       guarantee; or
 *   <li>the donor uses more than its guarantee, and the winner stays within its own guarantee.
 * </ul>
 *
 * <p>Both are judged at the two siblings below the common ancestor. The winner stays within its
 * share and below the donor, so that no two queues reclaim from each other in turns. The rules are
 * monotonic: a donor that may lose several jobs in some order may lose any of them alone.
 */
public final class Reclaim {

  private final QueueAccount winner;
  private final Charge asked;
  private final BitSet scarce;
  // By queue index; null until a loss is noted.
  private long @Nullable [] @Nullable [] lost;
  private final boolean countsOtherLosses;

  /**
   * The state of a branch of the winner with the job, which decides the losses of queues beside it.
   *
   * @param scarce the resources that are short for the winner
   * @param isOwed whether the branch stays within its guarantee of them
   * @param asksForSome whether the job requests a counted resource
   * @param aboveShare for each of them above the share, the usage as a multiple of the share, NaN
   *     for the others; empty if none is above
   */
  public record WinnerSide(
      BitSet scarce, boolean isOwed, boolean asksForSome, List<Double> aboveShare) {}

  /**
   * Makes the rules for a job of {@code winner}; no loss is noted.
   *
   * @param scarce the resources that are short for the job: it does not fit unless others give some
   */
  public Reclaim(QueueAccount winner, Charge asked, BitSet scarce) {
    this(winner, asked, (BitSet) scarce.clone(), true);
  }

  private Reclaim(QueueAccount winner, Charge asked, BitSet scarce, boolean countsOtherLosses) {
    this.winner = winner;
    this.asked = asked;
    this.scarce = scarce;
    this.countsOtherLosses = countsOtherLosses;
  }

  /**
   * Returns the rules without losses, under which a loss of one donor grants nothing beyond
   * another: the order of donors does not matter.
   */
  public Reclaim withoutRightsFromLosses() {
    return new Reclaim(winner, asked, scarce, false);
  }

  /** Returns true if a queue may lose {@code given} now. */
  public boolean mayLose(QueueAccount loser, Charge given) {
    QueueSides sides = QueueSides.of(winner, loser);
    QueueAccount theirs = sides.theirs();
    boolean isOwed =
        isOwedBy(sides.mine(), theirs) && reducesExcess(theirs, theirs::guaranteed, given);
    return (isOwed
            || (reducesExcess(theirs, theirs::due, given)
                && holdsMoreThanDue(theirs)
                && keepsGuaranteed(loser, theirs, given)))
        && staysBelow(sides.mine(), theirs, given);
  }

  /**
   * Returns true if the loss reduces a resource above {@code most}. A job without counted resources
   * may leave too, but not for a job like it.
   */
  private boolean reducesExcess(QueueAccount theirs, IntToLongFunction most, Charge given) {
    for (int resource = next(0); resource >= 0; resource = next(resource + 1)) {
      if (given.of(resource) > 0 && left(theirs, resource) > most.applyAsLong(resource)) {
        return true;
      }
    }
    return !given.isSome() && asked.isSome();
  }

  /** Returns true if a queue may lose any job now. */
  public boolean mayLoseAny(QueueAccount loser) {
    return mayLoseAny(QueueSides.of(winner, loser));
  }

  private boolean mayLoseAny(QueueSides sides) {
    return (holdsMoreThanDue(sides.theirs()) || isOwedBy(sides.mine(), sides.theirs()))
        && staysBelow(sides.mine(), sides.theirs(), null);
  }

  private static QueueAccount parent(QueueAccount queue) {
    return requireNonNull(queue.parent());
  }

  private boolean holdsMoreThanDue(QueueAccount theirs) {
    for (int resource = next(0); resource >= 0; resource = next(resource + 1)) {
      if (left(theirs, resource) > theirs.due(resource)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns true if a donor and its ancestors below {@code top}'s parent keep their guarantees of
   * what is short.
   */
  private boolean keepsGuaranteed(QueueAccount loser, QueueAccount top, Charge given) {
    for (QueueAccount queue = loser; queue != top.parent(); queue = parent(queue)) {
      for (int resource = next(0); resource >= 0; resource = next(resource + 1)) {
        long left = left(queue, resource) - given.of(resource);
        if (given.of(resource) > 0 && left < queue.guaranteed(resource)) {
          return false;
        }
      }
      if (queue.parent() == null) {
        break;
      }
    }
    return true;
  }

  private boolean isOwedBy(QueueAccount mine, QueueAccount theirs) {
    boolean holdsMore = false;
    for (int resource = next(0); resource >= 0; resource = next(resource + 1)) {
      holdsMore |= left(theirs, resource) > theirs.guaranteed(resource);
    }
    return holdsMore && isOwed(mine);
  }

  /**
   * Returns true if a branch of the winner stays within its guarantee of what is short with the
   * job. False for a job that requests nothing counted.
   */
  public boolean isOwed(QueueAccount mine) {
    for (int resource = next(0); resource >= 0; resource = next(resource + 1)) {
      long more = asked.of(resource);
      if (more > 0 && more > mine.guaranteed(resource) - has(mine, resource)) {
        return false;
      }
    }
    return asked.isSome();
  }

  /** Returns the state of a branch of the winner. */
  public WinnerSide side(QueueAccount mine) {
    return new WinnerSide(
        scarce, isOwed(mine), asked.isSome(), isAboveAny(mine) ? above(mine) : List.of());
  }

  /** Returns the state of the winner's branch beside another queue. */
  public WinnerSide sideBeside(QueueAccount other) {
    return side(QueueSides.of(winner, other).mine());
  }

  private boolean isAboveAny(QueueAccount mine) {
    for (int resource = next(0); resource >= 0; resource = next(resource + 1)) {
      if (isAbove(mine, resource)) {
        return true;
      }
    }
    return false;
  }

  private List<Double> above(QueueAccount mine) {
    List<Double> above = new ArrayList<>(resources());
    for (int resource = next(0); resource >= 0; resource = next(resource + 1)) {
      above.add(isAbove(mine, resource) ? partOfShare(mine, resource) : Double.NaN);
    }
    return above;
  }

  /** Returns the usage of a branch of the winner with the job, as a multiple of its share. */
  private double partOfShare(QueueAccount mine, int resource) {
    double has = has(mine, resource) + asked.of(resource);
    return has / mine.share(resource);
  }

  private boolean isAbove(QueueAccount mine, int resource) {
    double has = has(mine, resource) + asked.of(resource);
    return asked.of(resource) > 0 && has > mine.share(resource);
  }

  /**
   * Returns true if the winner's branch, where it exceeds its share, stays below the donor's.
   *
   * @param given the donor's loss; none if null
   */
  private boolean staysBelow(QueueAccount mine, QueueAccount theirs, @Nullable Charge given) {
    for (int resource = next(0); resource >= 0; resource = next(resource + 1)) {
      double left = left(theirs, resource) - (given == null ? 0 : given.of(resource));
      if (isAbove(mine, resource)
          && theirs.share(resource) > 0
          && partOfShare(mine, resource) >= left / theirs.share(resource)) {
        return false;
      }
    }
    return true;
  }

  private int resources() {
    return winner.resources();
  }

  /** Returns the next resource from this one on that is short for the winner; -1 if none. */
  private int next(int resource) {
    return scarce.nextSetBit(resource);
  }

  /** Returns the usage of the winner's branch after the noted losses. */
  private long has(QueueAccount mine, int resource) {
    return countsOtherLosses ? left(mine, resource) : mine.held(resource);
  }

  private long left(QueueAccount queue, int resource) {
    long @Nullable [] gone = lost == null ? null : lost[queue.index()];
    return queue.held(resource) - (gone == null ? 0 : gone[resource]);
  }

  /** Notes a loss of a queue and its ancestors. */
  public void lose(QueueAccount loser, Charge given) {
    lose(loser, given, 1);
  }

  /** Notes {@code times} a loss; -1 takes it back. */
  public void lose(QueueAccount loser, Charge given, int times) {
    if (lost == null) {
      lost = new long[loser.queues()][];
    }
    for (QueueAccount queue = loser; queue != null; queue = queue.parent()) {
      long @Nullable [] gone = lost[queue.index()];
      if (gone == null) {
        gone = new long[resources()];
        lost[queue.index()] = gone;
      }
      given.addTo(gone, times);
    }
  }

  /** Returns the noted losses of a queue and its descendants. */
  public Charge lost(QueueAccount loser) {
    long @Nullable [] gone = lost == null ? null : lost[loser.index()];
    return new Charge(gone == null ? new long[resources()] : gone.clone());
  }

  /**
   * Returns true if the job's queue and its ancestors stay within their limits after the
   * {@linkplain #lose noted} losses.
   */
  public boolean keepsLimits(Charge holds) {
    for (QueueAccount queue = winner; queue != null; queue = queue.parent()) {
      for (int resource = 0; resource < resources(); resource++) {
        long amount = holds.of(resource);
        if (amount > 0 && amount > queue.limit(resource) - left(queue, resource)) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * Returns the largest remaining usage as a fraction of the amount due, over all resources that
   * are short. The sibling with the largest loses first; of equal ones the last named.
   */
  public double partLeft(QueueAccount queue) {
    double largest = 0;
    for (int resource = next(0); resource >= 0; resource = next(resource + 1)) {
      long left = left(queue, resource);
      if (left > 0) {
        largest = Math.max(largest, left / (double) queue.due(resource));
      }
    }
    return largest;
  }
}
