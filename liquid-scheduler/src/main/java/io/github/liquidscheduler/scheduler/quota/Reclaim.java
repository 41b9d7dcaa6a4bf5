package io.github.liquidscheduler.scheduler.quota;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Who has to give back what to a job of another queue, while the search for room imagines one
 * running job after the other gone. (KAI-Scheduler's rules of reclaim, but that guarantees are
 * kept.) A queue loses a job only, in some resource, which need not be one that the other asks for
 * but is one that the job holds, if it holds any,
 *
 * <ul>
 *   <li>while it holds more than is due to it, its share or what is guaranteed if that is more, and
 *       if it keeps what is guaranteed; or
 *   <li>while it holds more than is guaranteed, and the other would still hold no more than is
 *       guaranteed to it.
 * </ul>
 *
 * <p>Both are judged where the two queues part: among the siblings of which one holds the one queue
 * and one the other. Nobody takes back more than its own share, and nobody comes to stand above the
 * one who lost something, so that no two queues can take from each other in turns.
 *
 * <p>Whoever may lose several jobs in some order may as well lose any of them alone.
 */
public final class Reclaim {

  private final QueueAccount winner;
  private final Charge asked;
  // By the numbers of the queues; null until somebody has lost something.
  private long @Nullable [] @Nullable [] lost;
  private final boolean countsWhatIsLostBeside;

  /**
   * How a side of the winner stands with the job: all of it by which it is judged what a queue
   * beside it loses.
   *
   * @param isOwed whether it holds no more than is guaranteed to it
   * @param asksForSome whether the job asks for anything that is counted
   * @param aboveShare of each resource of which it comes to stand above its share, how many times
   *     its share it then holds, and NaN of the others; empty if it stands above none
   */
  public record WinnerSide(boolean isOwed, boolean asksForSome, List<Double> aboveShare) {}

  /** Makes the rules for a job of a queue that asks for something, and nobody has lost anything. */
  public Reclaim(QueueAccount winner, Charge asked) {
    this(winner, asked, true);
  }

  private Reclaim(QueueAccount winner, Charge asked, boolean countsWhatIsLostBeside) {
    this.winner = winner;
    this.asked = asked;
    this.countsWhatIsLostBeside = countsWhatIsLostBeside;
  }

  /**
   * Returns the same rules, and nobody has lost anything, but that what others lose gives the job
   * no right to what third ones hold: so it does not matter who is asked first, nor who stays after
   * all.
   */
  public Reclaim withoutRightsFromLosses() {
    return new Reclaim(winner, asked, false);
  }

  /** Returns true if the job may take anything from other queues: its own is within its share. */
  public boolean isJust() {
    return winner.isInShare(asked);
  }

  /** Returns true if another queue may lose a job now. */
  public boolean mayLose(QueueAccount loser, Charge given) {
    QueueSides sides = QueueSides.of(winner, loser);
    QueueAccount theirs = sides.theirs();
    boolean isOwed =
        isOwedBy(sides.mine(), theirs) && isOfWhatIsTooMuch(theirs, theirs::guaranteed, given);
    return (isOwed
            || (isOfWhatIsTooMuch(theirs, theirs::due, given)
                && holdsMoreThanDue(theirs)
                && keepsGuaranteed(loser, theirs, given)))
        && staysBelow(sides.mine(), theirs, given);
  }

  /**
   * Returns true if a queue holds less of what it has too much of once it loses something. Who
   * holds nothing that is counted may leave as well, but for nobody like it.
   */
  private boolean isOfWhatIsTooMuch(QueueAccount theirs, IntToLongFunction most, Charge given) {
    for (int resource = 0; resource < resources(); resource++) {
      if (given.of(resource) > 0 && left(theirs, resource) > most.applyAsLong(resource)) {
        return true;
      }
    }
    return !given.isSome() && asked.isSome();
  }

  /** Returns true if another queue holds so much that it may lose anything now. */
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
    for (int resource = 0; resource < resources(); resource++) {
      if (left(theirs, resource) > theirs.due(resource)) {
        return true;
      }
    }
    return false;
  }

  /** Returns true if a queue, and those up to one that it is a part of, keep what is guaranteed. */
  private boolean keepsGuaranteed(QueueAccount loser, QueueAccount top, Charge given) {
    for (QueueAccount queue = loser; queue != top.parent(); queue = parent(queue)) {
      for (int resource = 0; resource < resources(); resource++) {
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
    for (int resource = 0; resource < resources(); resource++) {
      holdsMore |= left(theirs, resource) > theirs.guaranteed(resource);
    }
    return holdsMore && isOwed(mine);
  }

  /**
   * Returns true if a side of the winner, its queue or one that this is a part of, holds no more
   * than is guaranteed with the job. Nothing is owed to a job that asks for nothing.
   */
  public boolean isOwed(QueueAccount mine) {
    for (int resource = 0; resource < resources(); resource++) {
      long more = asked.of(resource);
      if (more > 0 && more > mine.guaranteed(resource) - has(mine, resource)) {
        return false;
      }
    }
    return asked.isSome();
  }

  /** Returns how a side of the winner stands: its queue or one that this is a part of. */
  public WinnerSide side(QueueAccount mine) {
    return new WinnerSide(isOwed(mine), asked.isSome(), isAboveAny(mine) ? above(mine) : List.of());
  }

  /** Returns how the winner's side stands where its queue and another part. */
  public WinnerSide sideBeside(QueueAccount other) {
    return side(QueueSides.of(winner, other).mine());
  }

  private boolean isAboveAny(QueueAccount mine) {
    for (int resource = 0; resource < resources(); resource++) {
      if (isAbove(mine, resource)) {
        return true;
      }
    }
    return false;
  }

  private List<Double> above(QueueAccount mine) {
    List<Double> above = new ArrayList<>(resources());
    for (int resource = 0; resource < resources(); resource++) {
      above.add(isAbove(mine, resource) ? partOfShare(mine, resource) : Double.NaN);
    }
    return above;
  }

  /** Returns how many times its share of a resource a side of the winner holds with the job. */
  private double partOfShare(QueueAccount mine, int resource) {
    double has = has(mine, resource) + asked.of(resource);
    return has / mine.share(resource);
  }

  private boolean isAbove(QueueAccount mine, int resource) {
    double has = has(mine, resource) + asked.of(resource);
    return asked.of(resource) > 0 && has > mine.share(resource);
  }

  /**
   * Returns true if my side, if it comes to stand above its share, still stands below theirs.
   *
   * @param given what they lose; nothing if null
   */
  private boolean staysBelow(QueueAccount mine, QueueAccount theirs, @Nullable Charge given) {
    for (int resource = 0; resource < resources(); resource++) {
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

  /** Returns what the winner's side has, once others beside the winner have lost something. */
  private long has(QueueAccount mine, int resource) {
    return countsWhatIsLostBeside ? left(mine, resource) : mine.held(resource);
  }

  private long left(QueueAccount queue, int resource) {
    long @Nullable [] gone = lost == null ? null : lost[queue.index()];
    return queue.held(resource) - (gone == null ? 0 : gone[resource]);
  }

  /** Notes that a queue, and those that it is a part of, lose what a job holds. */
  public void lose(QueueAccount loser, Charge given) {
    if (lost == null) {
      lost = new long[loser.queues()][];
    }
    for (QueueAccount queue = loser; queue != null; queue = queue.parent()) {
      long @Nullable [] gone = lost[queue.index()];
      if (gone == null) {
        gone = new long[resources()];
        lost[queue.index()] = gone;
      }
      given.addTo(gone, 1);
    }
  }

  /** Returns what a queue and its parts have lost. */
  public Charge lost(QueueAccount loser) {
    long @Nullable [] gone = lost == null ? null : lost[loser.index()];
    return new Charge(gone == null ? new long[resources()] : gone.clone());
  }

  /**
   * Returns true if the job's queue, and those that it is a part of, hold no more than their limits
   * with it, once others have lost what was {@linkplain #lose noted}.
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

  /** Returns how near another queue is: the deeper the two part, the nearer. */
  public int nearness(QueueAccount other) {
    return QueueSides.of(winner, other).theirs().depth();
  }

  /**
   * Returns the largest part that a queue is left with of what is due to it, of any resource: of
   * siblings the one with the larger part loses a job first, of equal ones the one named last.
   */
  public double partLeft(QueueAccount queue) {
    double largest = 0;
    for (int resource = 0; resource < resources(); resource++) {
      long left = left(queue, resource);
      if (left > 0) {
        largest = Math.max(largest, left / (double) queue.due(resource));
      }
    }
    return largest;
  }
}
