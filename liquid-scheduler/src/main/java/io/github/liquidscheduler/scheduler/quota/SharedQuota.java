package io.github.liquidscheduler.scheduler.quota;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The queue that borrows most for its weight, and the comparison of a winner with a donor: Kueue's
 * fair sharing. Victims and the winner are applied hypothetically.
 */
public final class SharedQuota {

  private final QueueAccount winner;
  private final HypotheticalUsage use;
  // Never iterated.
  private final Set<QueueAccount> done = new HashSet<>();

  /**
   * Makes the view for a queue.
   *
   * @param use the usage, the winning job included
   */
  public SharedQuota(QueueAccount winner, HypotheticalUsage use) {
    this.winner = winner;
    this.use = use;
  }

  /** Makes exhausted queues eligible again. */
  public void restart() {
    done.clear();
  }

  /**
   * Returns the leaf reached from the root by descending into the child with the largest share,
   * inner queues first on ties; null if none has victims. Queues that do not borrow are skipped,
   * except the winner and its ancestors.
   *
   * @param mayLose whether a leaf has victims left
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

  /** Returns true if the winner's branch has at most the share of the donor's after the loss. */
  public boolean staysBelow(QueueAccount loser, Charge lost) {
    QueueSides sides = QueueSides.of(winner, loser);
    DominantShare mine = sides.mine().lending().borrowedShare(use);
    use.hold(loser, lost, -1);
    DominantShare theirs = sides.theirs().lending().borrowedShare(use);
    use.hold(loser, lost, 1);
    return mine.compareTo(theirs) <= 0;
  }

  /** Returns true if the winner's share afterwards is at most the donor's share before. */
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

  /** Returns true if the winner's branch has a smaller share than the donor's. */
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
