package io.github.liquidscheduler.scheduler.quota;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The serving order of queues, which each start changes. At each level: queues that stay within
 * their share with their next job first, so that nothing starts that is reclaimed at once; then
 * within their guarantee; then by priority; then by the smallest fraction of the amount due with
 * the next job, and without it; then by the smaller share. This is KAI-Scheduler's order, except
 * for the first rule. In lending mode, and under a policy that orders queues, see {@link
 * NextJobOrder}.
 */
public final class QueueOrdering {

  private final Function<QueueAccount, @Nullable NextJob> nextOf;
  private int position;

  /**
   * The leaves of a queue in serving order.
   *
   * @param leaves the leaves
   * @param next the next job; null if none waits
   */
  record OrderedParts(List<QueueAccount> leaves, @Nullable NextJob next) {}

  /** A queue with its leaves, its next job, and the keys of its order. */
  private record Candidate(
      QueueAccount queue,
      @Nullable NextJob job,
      List<QueueAccount> leaves,
      boolean isBeyondShare,
      boolean isBeyondGuaranteed,
      double shareWithJob,
      double share,
      double largestShare) {

    private static final Comparator<Candidate> ORDER =
        Comparator.comparing((Candidate candidate) -> candidate.job == null)
            .thenComparing(Candidate::isBeyondShare)
            .thenComparing(Candidate::isBeyondGuaranteed)
            .thenComparing(candidate -> -(long) candidate.queue.priority())
            .thenComparingDouble(Candidate::shareWithJob)
            .thenComparingDouble(Candidate::share)
            .thenComparingDouble(Candidate::largestShare)
            .thenComparingInt(candidate -> candidate.queue.index());

    static Candidate of(QueueAccount queue, @Nullable NextJob job, List<QueueAccount> leaves) {
      QueueAmounts amounts = queue.amounts();
      @Nullable Charge next = job == null ? null : job.charge();
      return new Candidate(
          queue,
          job,
          leaves,
          next == null || !queue.isInShare(next),
          next == null || !amounts.isGuaranteed(next),
          amounts.dominantShare(next),
          amounts.dominantShare(null),
          amounts.largestShare());
    }
  }

  private QueueOrdering(Function<QueueAccount, @Nullable NextJob> nextOf) {
    this.nextOf = nextOf;
  }

  /**
   * Sets the position of each leaf. Sorts only where a key has changed.
   *
   * @param nextOf the next job of a leaf; null if none waits
   */
  public static void arrange(QueueBooks books, Function<QueueAccount, @Nullable NextJob> nextOf) {
    if (books.tree().reclaiming().lends()) {
      number(books, NextJobOrder.lending(books, nextJobs(books, nextOf)));
      return;
    }
    books.divide();
    if (!books.takeIsInOrder()) {
      QueueOrdering ordering = new QueueOrdering(nextOf);
      ordering.inOrder(books.roots()).forEach(ordering::number);
    }
  }

  /**
   * Sets the position of each leaf by the order of a policy, at every level in place of the tree's
   * own. Queues whose next job leaves them and all their ancestors within what is due to them come
   * first nevertheless.
   *
   * @param nextOf the next job of a leaf; null if none waits
   * @param rankOf the rank of a queue, lowest first; asked only of queues in which a job waits
   */
  public static void arrangeBy(
      QueueBooks books,
      Function<QueueAccount, @Nullable NextJob> nextOf,
      ToDoubleFunction<QueueAccount> rankOf) {
    books.divide();
    if (books.takeIsInOrder()) {
      return;
    }
    number(books, NextJobOrder.byPolicy(books, nextJobs(books, nextOf), rankOf));
  }

  private static List<NextJob> nextJobs(
      QueueBooks books, Function<QueueAccount, @Nullable NextJob> nextOf) {
    List<NextJob> jobs = new ArrayList<>();
    for (QueueAccount leaf : books.leaves()) {
      @Nullable NextJob next = nextOf.apply(leaf);
      if (next != null) {
        jobs.add(next);
      }
    }
    return jobs;
  }

  /** Sets the position of each leaf, those without a job last. */
  private static void number(QueueBooks books, List<NextJob> jobs) {
    Set<QueueAccount> leaves = new LinkedHashSet<>();
    jobs.forEach(job -> leaves.add(job.queue()));
    leaves.addAll(books.leaves());
    int position = 0;
    for (QueueAccount leaf : leaves) {
      leaf.setPosition(position++);
    }
  }

  private void number(Candidate candidate) {
    candidate.leaves().forEach(leaf -> leaf.setPosition(position++));
  }

  private List<Candidate> inOrder(List<QueueAccount> siblings) {
    List<Candidate> candidates = new ArrayList<>();
    siblings.forEach(queue -> candidates.add(candidate(queue)));
    candidates.sort(Candidate.ORDER);
    return candidates;
  }

  private Candidate candidate(QueueAccount queue) {
    if (queue.children().isEmpty()) {
      return Candidate.of(queue, nextOf.apply(queue), List.of(queue));
    }
    @Nullable OrderedParts known = queue.inOrder();
    if (known == null) {
      List<Candidate> parts = inOrder(queue.children());
      List<QueueAccount> leaves = parts.stream().flatMap(part -> part.leaves().stream()).toList();
      known = new OrderedParts(leaves, parts.getFirst().job());
      queue.putInOrder(known);
    }
    return Candidate.of(queue, known.next(), known.leaves());
  }
}
