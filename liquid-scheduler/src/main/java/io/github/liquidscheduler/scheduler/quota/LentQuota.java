package io.github.liquidscheduler.scheduler.quota;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The borrowers of the quota that a job needs, while victims are removed hypothetically: Kueue's
 * quota arithmetic in a tree of cohorts.
 */
public final class LentQuota {

  private final QueueAccount winner;
  private final Charge asked;
  private final BitSet needed;
  private final HypotheticalUsage use;
  private final int ownDepth;

  /**
   * Makes the view for a job of {@code winner}.
   *
   * @param asked the requested amounts
   * @param needed the resources that are short for it; only these decide
   * @param use the usage to compare with
   */
  public LentQuota(QueueAccount winner, Charge asked, BitSet needed, HypotheticalUsage use) {
    this.winner = winner;
    this.asked = asked;
    this.needed = (BitSet) needed.clone();
    this.use = use;
    ownDepth = ownDepth();
  }

  /**
   * Returns the depth of the first ancestor that stays within its own quota of what is short with
   * the job; -1 if none does.
   */
  private int ownDepth() {
    long[] more = new long[winner.resources()];
    needed.stream().forEach(resource -> more[resource] = asked.of(resource));
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

  /** Returns true if the winner's queue uses less than its own quota of every needed resource. */
  public boolean isBelowOwn() {
    return needed.stream()
        .allMatch(resource -> use.of(winner).used(resource) < winner.guaranteed(resource));
  }

  /** Returns true if the winner's queue would borrow no needed resource. */
  public boolean isWithinOwn() {
    return needed.stream()
        .allMatch(
            resource ->
                asked.of(resource) <= winner.guaranteed(resource) - use.of(winner).used(resource));
  }

  /** Returns true if a job holds a needed resource. */
  public boolean holdsNeeded(Charge held) {
    return needed.stream().anyMatch(resource -> held.of(resource) > 0);
  }

  /**
   * Returns true if the winner's branch, below the common ancestor with another queue, stays within
   * its own quota: it may then take that back even if its leaf borrows.
   */
  public boolean isOwed(QueueAccount other) {
    @Nullable QueueAccount common = common(other);
    return common != null && common.depth() < ownDepth;
  }

  /** Returns true if another queue and its ancestors below the common one all borrow. */
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
   * Returns true if another queue and its ancestors below the common one use at least their own
   * quota of every needed resource.
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
    return winner.commonWith(other);
  }
}
