package io.github.liquidscheduler.scheduler.quota;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The order in which queues are served, which each start changes: at each level of the tree first
 * those that hold no more than their share with their next job, so that nothing is started that
 * another takes back at once; then those that hold no more than is guaranteed with it, then by
 * priority, then those that would hold, with the next job, the smallest part of what is due to
 * them, then those that hold the smallest part without it, then those with the smaller share.
 * (KAI-Scheduler's order, but for the first rule.) Where queues lend each other quota it is {@link
 * LendingOrder}.
 */
public final class QueueOrdering {

  private final Function<QueueAccount, @Nullable NextJob> nextOf;
  private int position;

  /**
   * The parts of a queue in the order in which they are served.
   *
   * @param leaves those in which jobs may stand
   * @param next what the next job asks for; null if none waits
   */
  record OrderedParts(List<QueueAccount> leaves, @Nullable NextJob next) {}

  /** A queue, or a queue and its parts, what the next job of it asks for, and how it stands. */
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
   * Gives each queue in which jobs may stand its position. Only those are put in order anew of
   * which anything has changed that decides.
   *
   * @param nextOf what the next job of such a queue asks for; null if none waits
   */
  public static void arrange(QueueBooks books, Function<QueueAccount, @Nullable NextJob> nextOf) {
    if (books.tree().reclaiming().lends()) {
      LendingOrder.arrange(books, nextOf);
      return;
    }
    books.divide();
    if (!books.takeIsInOrder()) {
      QueueOrdering ordering = new QueueOrdering(nextOf);
      ordering.inOrder(books.roots()).forEach(ordering::number);
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
