package io.github.liquidscheduler.scheduler.quota;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Who borrows most for its weight, and whether a queue that takes something from another still
 * borrows less. (Kueue's fair sharing.) While victims are imagined gone, and the winner there.
 */
public final class SharedQuota {

  private final QueueAccount winner;
  private final HypotheticalUsage use;
  // Never iterated.
  private final Set<QueueAccount> done = new HashSet<>();

  /**
   * Makes the question for a queue.
   *
   * @param use what queues use, with the job for which the queue takes something
   */
  public SharedQuota(QueueAccount winner, HypotheticalUsage use) {
    this.winner = winner;
    this.use = use;
  }

  /** Has queues be asked again that have none left to lose. */
  public void restart() {
    done.clear();
  }

  /**
   * Returns the queue that is reached from the top of the winner's tree by descending into the
   * child with the largest share, a queue with parts before one without; null if none has anything
   * to lose. Who borrows nothing is passed over, but for the winner and what it is a part of.
   *
   * @param mayLose whether a queue without parts has anything left to lose
   */
  public @Nullable QueueAccount largest(Predicate<QueueAccount> mayLose) {
    QueueAccount top = winner;
    for (@Nullable QueueAccount at = winner.parent(); at != null; at = at.parent()) {
      top = at;
    }
    if (top.children().isEmpty()) {
      return mayLose.test(top) ? top : null;
    }
    @Nullable QueueAccount found = null;
    while (found == null && !done.contains(top)) {
      found = below(top, mayLose);
    }
    return found;
  }

  private @Nullable QueueAccount below(QueueAccount queue, Predicate<QueueAccount> mayLose) {
    @Nullable QueueAccount leaf = largest(queue.children(), true, mayLose);
    @Nullable QueueAccount inner = largest(queue.children(), false, mayLose);
    if (leaf == null && inner == null) {
      done.add(queue);
      return null;
    }
    boolean isInner =
        leaf == null
            || (inner != null
                && inner.lending().borrowedShare(use).compareTo(leaf.lending().borrowedShare(use))
                    >= 0);
    return isInner && inner != null ? below(inner, mayLose) : leaf;
  }

  private @Nullable QueueAccount largest(
      List<QueueAccount> siblings, boolean leaves, Predicate<QueueAccount> mayLose) {
    @Nullable QueueAccount largest = null;
    DominantShare most = DominantShare.NONE;
    for (QueueAccount queue : siblings) {
      if (queue.children().isEmpty() == leaves && !done.contains(queue)) {
        DominantShare share = queue.lending().borrowedShare(use);
        boolean lendsAll = !share.isBorrowing() && !holdsWinner(queue);
        if (lendsAll || (leaves && !mayLose.test(queue))) {
          done.add(queue);
        } else if (largest == null || share.compareTo(most) >= 0) {
          largest = queue;
          most = share;
        }
      }
    }
    return largest;
  }

  private boolean holdsWinner(QueueAccount queue) {
    for (@Nullable QueueAccount at = winner; at != null; at = at.parent()) {
      if (at.equals(queue)) {
        return true;
      }
    }
    return false;
  }

  /** Returns true if the winner's side has no more than another without something it loses. */
  public boolean staysBelow(QueueAccount loser, Charge lost) {
    QueueSides sides = QueueSides.of(winner, loser);
    DominantShare mine = sides.mine().lending().borrowedShare(use);
    use.hold(loser, lost, -1);
    DominantShare theirs = sides.theirs().lending().borrowedShare(use);
    use.hold(loser, lost, 1);
    return mine.compareTo(theirs) <= 0;
  }

  /** Returns true if the side of one queue has no more after than that of another had before. */
  public static boolean hasNoMore(
      QueueAccount winner, HypotheticalUsage after, QueueAccount loser, HypotheticalUsage before) {
    QueueSides sides = QueueSides.of(winner, loser);
    return sides
            .mine()
            .lending()
            .borrowedShare(after)
            .compareTo(sides.theirs().lending().borrowedShare(before))
        <= 0;
  }

  /** Returns true if the winner's side has less than that of another. */
  public boolean isBelow(QueueAccount loser) {
    QueueSides sides = QueueSides.of(winner, loser);
    return sides
            .mine()
            .lending()
            .borrowedShare(use)
            .compareTo(sides.theirs().lending().borrowedShare(use))
        < 0;
  }
}
