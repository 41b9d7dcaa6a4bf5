package io.github.liquidscheduler.scheduler.quota;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The order in which queues that lend each other quota are served, as in Kueue (KEP 1714).
 *
 * <ul>
 *   <li>By lent quota: first the queue whose next job borrows from the smallest subtree, or not at
 *       all; then by rank and age of that job.
 *   <li>By dominant shares: at each level first the child that would borrow none of the requested
 *       resources, then the one with the smaller share after the start; then by rank and age of the
 *       job.
 * </ul>
 */
final class LendingOrder {

  private final Function<QueueAccount, @Nullable NextJob> nextOf;
  private int position;

  /** The next job of a queue. */
  private record Head(QueueAccount leaf, NextJob job) {

    private static final Comparator<Head> BY_TURN =
        Comparator.<Head>comparingLong(head -> head.job.rank())
            .thenComparingLong(head -> head.job.sequence());

    private static final Comparator<Head> BY_LOAN =
        Comparator.comparingInt((Head head) -> head.heightOfLoan()).thenComparing(BY_TURN);

    /** Returns the height of the subtree that lends to the job; 0 if it does not borrow. */
    int heightOfLoan() {
      int height = 0;
      for (int resource = 0; resource < leaf.resources(); resource++) {
        height = Math.max(height, heightOfLoan(resource));
      }
      return height;
    }

    private int heightOfLoan(int resource) {
      long more = job.charge().of(resource);
      QueueAccount top = leaf;
      for (@Nullable QueueAccount queue = leaf; queue != null; queue = queue.parent()) {
        if (more <= queue.guaranteed(resource) - queue.lending().lent().used(resource)) {
          return queue.height();
        }
        more = queue.lending().lent().rise(resource, more);
        top = queue;
      }
      return top.height();
    }
  }

  /** One of several siblings, as it would be after the start of its next job. */
  private record Side(
      QueueAccount queue, Head head, Iterator<Head> rest, boolean borrows, DominantShare share) {

    private static final Comparator<Side> ORDER =
        Comparator.comparing((Side side) -> side.borrows())
            .thenComparing(Side::share)
            .thenComparing(Side::head, Head.BY_TURN)
            .thenComparingInt(side -> side.queue.index());

    static Side of(QueueAccount queue, Iterator<Head> heads) {
      Head head = heads.next();
      HypotheticalUsage after = HypotheticalUsage.toLend();
      after.hold(head.leaf, head.job.charge(), 1);
      return new Side(
          queue, head, heads, borrows(queue, head, after), queue.lending().borrowedShare(after));
    }

    private static boolean borrows(QueueAccount queue, Head head, HypotheticalUsage after) {
      for (int resource = 0; resource < queue.resources(); resource++) {
        if (head.job.charge().of(resource) > 0 && queue.lending().borrowed(resource, after) > 0) {
          return true;
        }
      }
      return false;
    }
  }

  private LendingOrder(Function<QueueAccount, @Nullable NextJob> nextOf) {
    this.nextOf = nextOf;
  }

  static void arrange(QueueBooks books, Function<QueueAccount, @Nullable NextJob> nextOf) {
    LendingOrder order = new LendingOrder(nextOf);
    List<QueueAccount> leaves =
        books.accounts().stream().filter(account -> account.children().isEmpty()).toList();
    List<Head> heads =
        switch (books.tree().reclaiming()) {
          case DOMINANT_SHARES ->
              order.tournament(
                  books.accounts().stream().filter(account -> !account.isPart()).toList());
          default -> order.headsOf(leaves).stream().sorted(Head.BY_LOAN).toList();
        };
    heads.forEach(head -> head.leaf().setPosition(order.position++));
    leaves.stream()
        .filter(leaf -> nextOf.apply(leaf) == null)
        .forEach(leaf -> leaf.setPosition(order.position++));
  }

  private List<Head> headsOf(List<QueueAccount> leaves) {
    List<Head> heads = new ArrayList<>();
    for (QueueAccount leaf : leaves) {
      @Nullable NextJob next = nextOf.apply(leaf);
      if (next != null) {
        heads.add(new Head(leaf, next));
      }
    }
    return heads;
  }

  /**
   * Returns the next jobs below some siblings in serving order, each compared after those before
   * it.
   */
  private List<Head> tournament(List<QueueAccount> siblings) {
    PriorityQueue<Side> sides = new PriorityQueue<>(Side.ORDER);
    for (QueueAccount queue : siblings) {
      boolean isLeaf = queue.children().isEmpty();
      List<Head> heads = isLeaf ? headsOf(List.of(queue)) : tournament(queue.children());
      enter(sides, queue, heads.iterator());
    }
    List<Head> ordered = new ArrayList<>();
    while (!sides.isEmpty()) {
      Side best = sides.remove();
      ordered.add(best.head());
      enter(sides, best.queue(), best.rest());
    }
    return ordered;
  }

  private static void enter(PriorityQueue<Side> sides, QueueAccount queue, Iterator<Head> heads) {
    if (heads.hasNext()) {
      sides.add(Side.of(queue, heads));
    }
  }
}
