package io.github.liquidscheduler.scheduler.quota;

import io.github.liquidscheduler.explanation.Counterfactual.GivenBack;
import io.github.liquidscheduler.queue.QuotaResource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The queues in which jobs stand that hold more of something than is guaranteed to them, but for
 * one, while their jobs are imagined to leave one after the other. Mutable.
 */
public final class BorrowingQueues {

  private final HypotheticalUsage use = HypotheticalUsage.toLend();
  private final PriorityQueue<Borrower> borrowers = new PriorityQueue<>(Borrower.WORST_FIRST);

  /**
   * A queue that borrows.
   *
   * @param part the largest part that it borrows of all that there is, of any resource
   */
  private record Borrower(QueueAccount queue, double part) {

    static final Comparator<Borrower> WORST_FIRST =
        Comparator.comparingDouble((Borrower borrower) -> -borrower.part())
            .thenComparingInt(borrower -> borrower.queue().index());
  }

  /** Finds the queues of a tree that borrow, but for this one, which asks for room. */
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

  /** Returns true if a job of a queue holds something of what that still borrows. */
  public boolean holdsBorrowed(QueueAccount leaf, Charge charge) {
    for (int resource = 0; resource < leaf.resources(); resource++) {
      if (charge.of(resource) > 0 && leaf.lending().borrowed(resource, use) > 0) {
        return true;
      }
    }
    return false;
  }

  /** Has a job leave a queue that was taken, which is put back if it still borrows. */
  public void lose(QueueAccount leaf, Charge charge) {
    use.hold(leaf, charge, -1);
    addIfItBorrows(leaf);
  }

  /** Returns what a queue gives back of what it borrows, once jobs of it have left. */
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
