package io.github.liquidscheduler.scheduler.quota;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Who borrows what a job of some queue needs, while jobs of borrowers are imagined gone. (Kueue's
 * quota arithmetic in a tree of cohorts.)
 */
public final class LentQuota {

  private final QueueAccount winner;
  private final Charge asked;
  private final BitSet needed;
  private final HypotheticalUsage use;
  private final int ownDepth;

  /**
   * Makes the question for a job of a queue.
   *
   * @param asked what it asks for
   * @param needed the resources of which it cannot have that much
   * @param use what queues use
   */
  public LentQuota(QueueAccount winner, Charge asked, BitSet needed, HypotheticalUsage use) {
    this.winner = winner;
    this.asked = asked;
    this.needed = (BitSet) needed.clone();
    this.use = use;
    ownDepth = ownDepth();
  }

  /**
   * Returns how deep the queue is above the job that is the first to stay within its own; or -1.
   */
  private int ownDepth() {
    long[] more = new long[winner.resources()];
    asked.addTo(more, 1);
    for (@Nullable QueueAccount at = winner; at != null; at = at.parent()) {
      if (isOwn(at, more)) {
        return at.depth();
      }
      for (int resource = 0; resource < more.length; resource++) {
        more[resource] = use.of(at).rise(resource, more[resource]);
      }
    }
    return -1;
  }

  private boolean isOwn(QueueAccount queue, long[] more) {
    for (int resource = 0; resource < more.length; resource++) {
      if (more[resource] > queue.guaranteed(resource) - use.of(queue).used(resource)) {
        return false;
      }
    }
    return true;
  }

  /** Returns true if the winner's queue uses less than its own of all that it needs. */
  public boolean isBelowOwn() {
    return needed.stream()
        .allMatch(resource -> use.of(winner).used(resource) < winner.guaranteed(resource));
  }

  /** Returns true if the winner's queue would borrow none of what it needs. */
  public boolean isWithinOwn() {
    return needed.stream()
        .allMatch(
            resource ->
                asked.of(resource) <= winner.guaranteed(resource) - use.of(winner).used(resource));
  }

  /** Returns true if a job holds something of what is needed. */
  public boolean holdsNeeded(Charge held) {
    return needed.stream().anyMatch(resource -> held.of(resource) > 0);
  }

  /** Returns true if two queues are in one tree, so that they can lend each other something. */
  public boolean areRelated(QueueAccount other) {
    return common(other) != null;
  }

  /**
   * Returns true if the winner's side, below where it parts with another queue, stays within its
   * own: then it takes back what it is owed, whatever its queue itself borrows.
   */
  public boolean isOwed(QueueAccount other) {
    @Nullable QueueAccount common = common(other);
    return common != null && common.depth() < ownDepth;
  }

  /** Returns true if another queue, and all up to where it parts with the winner's, borrows. */
  public boolean borrows(QueueAccount other) {
    @Nullable QueueAccount common = common(other);
    for (@Nullable QueueAccount at = other; at != null && at != common; at = at.parent()) {
      if (!borrowsNeeded(at)) {
        return false;
      }
    }
    return common != null;
  }

  /**
   * Returns true if another queue, and all up to where it parts with the winner's, uses no less
   * than its own of what is needed.
   */
  public boolean keepsOwn(QueueAccount other) {
    @Nullable QueueAccount common = common(other);
    for (@Nullable QueueAccount at = other; at != null && at != common; at = at.parent()) {
      QueueAccount queue = at;
      if (needed.stream()
          .anyMatch(resource -> use.of(queue).used(resource) < queue.guaranteed(resource))) {
        return false;
      }
    }
    return true;
  }

  private boolean borrowsNeeded(QueueAccount queue) {
    return needed.stream().anyMatch(resource -> queue.lending().borrowed(resource, use) > 0);
  }

  private @Nullable QueueAccount common(QueueAccount other) {
    @Nullable QueueAccount mine = winner;
    @Nullable QueueAccount theirs = other;
    while (mine != null && theirs != null && mine != theirs) {
      if (mine.depth() >= theirs.depth()) {
        mine = mine.parent();
      } else {
        theirs = theirs.parent();
      }
    }
    return mine == theirs ? mine : null;
  }
}
