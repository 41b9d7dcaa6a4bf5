package io.github.liquidscheduler.scheduler.quota;

import io.github.liquidscheduler.explanation.Counterfactual.GivenBack;
import io.github.liquidscheduler.queue.QuotaResource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The queues of a tree, except one, that use more of some resource than they are guaranteed. Jobs
 * are removed from them hypothetically, one at a time. Mutable.
 */
public final class BorrowingQueues {

  private final HypotheticalUsage use = HypotheticalUsage.toLend();
  private final PriorityQueue<Borrower> borrowers = new PriorityQueue<>(Borrower.WORST_FIRST);

  /**
   * A borrowing queue.
   *
   * @param part the largest borrowed fraction of the cluster's total, over all resources
   */
  private record Borrower(QueueAccount queue, double part) {

    static final Comparator<Borrower> WORST_FIRST =
        Comparator.comparingDouble((Borrower borrower) -> -borrower.part())
            .thenComparingInt(borrower -> borrower.queue().index());
  }

  /** Finds the borrowing queues of the tree of {@code asking}, without that queue. */
  public BorrowingQueues(QueueAccount asking) {
    asking.root().siblings().forEach(root -> addLeaves(root, asking));
  }

  private void addLeaves(QueueAccount queue, QueueAccount asking) {
    if (!queue.children().isEmpty()) {
      queue.children().forEach(part -> addLeaves(part, asking));
    } else if (!queue.equals(asking)) {
      addIfItBorrows(queue);
    }
  }

  private void addIfItBorrows(QueueAccount leaf) {
    double largest = 0;
    for (int resource = 0; resource < leaf.resources(); resource++) {
      long borrowed = leaf.lending().borrowed(resource, use);
      if (borrowed > 0) {
        largest = Math.max(largest, borrowed / (double) Math.max(borrowed, leaf.total(resource)));
      }
    }
    if (largest > 0) {
      borrowers.add(new Borrower(leaf, largest));
    }
  }

  /** Takes the queue that borrows the most; null if none does any more. */
  public @Nullable QueueAccount takeWorst() {
    @Nullable Borrower worst = borrowers.poll();
    return worst == null ? null : worst.queue();
  }

  /** Returns true if a job holds a resource that its queue still borrows. */
  public boolean holdsBorrowed(QueueAccount leaf, Charge charge) {
    for (int resource = 0; resource < leaf.resources(); resource++) {
      if (charge.of(resource) > 0 && leaf.lending().borrowed(resource, use) > 0) {
        return true;
      }
    }
    return false;
  }

  /** Removes a job of a queue that was taken; puts the queue back if it still borrows. */
  public void lose(QueueAccount leaf, Charge charge) {
    use.hold(leaf, charge, -1);
    addIfItBorrows(leaf);
  }

  /** Returns the borrowed quota that a queue returns if these jobs leave; empty if none. */
  public static Optional<GivenBack> givenBack(QueueAccount leaf, List<Charge> left) {
    long[] amounts = new long[leaf.resources()];
    left.forEach(charge -> charge.addTo(amounts, 1));
    for (int resource = 0; resource < amounts.length; resource++) {
      long borrowed = leaf.lending().borrowed(resource, HypotheticalUsage.toLend());
      if (amounts[resource] > 0 && borrowed > 0) {
        QuotaResource counted = leaf.resource(resource);
        double unit = counted.perUnit();
        return Optional.of(
            new GivenBack(leaf.name(), counted, amounts[resource] / unit, borrowed / unit));
      }
    }
    return Optional.empty();
  }
}
