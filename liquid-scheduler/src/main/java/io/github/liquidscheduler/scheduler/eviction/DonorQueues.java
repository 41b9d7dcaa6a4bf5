package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.quota.QueueAccount;
import io.github.liquidscheduler.scheduler.quota.Reclaim;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Queues that lose one candidate at a time: from the roots down always the sibling with the largest
 * usage relative to its due. A step costs O(depth &middot; log siblings), independent of the number
 * of queues; a queue that may lose nothing is never visited again.
 */
final class DonorQueues {

  private final QueueAccount winner;
  private final Reclaim reclaim;
  private final ResourceLoss losses;
  private final boolean isAnybody;
  private final Function<QueueAccount, QueueCandidates> jobsOf;
  private final Predicate<JobEntry> helps;
  private final Function<QueueAccount, @Nullable List<EvictionSearch.Candidate>> known;
  private final PriorityQueue<Side> all = new PriorityQueue<>(Side.WORST_FIRST);

  /** A queue with its children or its candidates. */
  private static final class Side {

    static final Comparator<Side> WORST_FIRST =
        (one, other) -> {
          int byPart = Double.compare(other.partLeft, one.partLeft);
          return byPart == 0 ? Integer.compare(other.queue.index(), one.queue.index()) : byPart;
        };

    private final QueueAccount queue;
    private double partLeft;
    private @Nullable PriorityQueue<Side> parts;
    private @Nullable QueueCandidates jobs;

    Side(QueueAccount queue, double partLeft) {
      this.queue = queue;
      this.partLeft = partLeft;
    }
  }

  /**
   * Makes an empty set of donors.
   *
   * @param reclaim the rules, which take note of each loss
   * @param isAnybody whether queues lose jobs regardless of the rules
   * @param jobsOf the candidates of a leaf, in order
   * @param helps whether a loss of a job is of use; asked last
   * @param known the cached loss of a queue beside a branch of the winner; null if unknown
   */
  DonorQueues(
      QueueAccount winner,
      Reclaim reclaim,
      ResourceLoss losses,
      boolean isAnybody,
      Function<QueueAccount, QueueCandidates> jobsOf,
      Predicate<JobEntry> helps,
      Function<QueueAccount, @Nullable List<EvictionSearch.Candidate>> known) {
    this.winner = winner;
    this.reclaim = reclaim;
    this.losses = losses;
    this.isAnybody = isAnybody;
    this.jobsOf = jobsOf;
    this.helps = helps;
    this.known = known;
  }

  /** Adds a queue with its descendants, without the winner's own. */
  void add(QueueAccount queue) {
    add(queue, all);
  }

  private void add(QueueAccount queue, PriorityQueue<Side> siblings) {
    if (!queue.equals(winner)) {
      siblings.add(new Side(queue, reclaim.partLeft(queue)));
    }
  }

  /** Returns the next victim, or null. */
  EvictionSearch.@Nullable Candidate next() {
    return next(all);
  }

  private EvictionSearch.@Nullable Candidate next(PriorityQueue<Side> siblings) {
    for (@Nullable Side worst = siblings.poll(); worst != null; worst = siblings.poll()) {
      EvictionSearch.@Nullable Candidate lost = nextOf(worst);
      if (lost != null) {
        worst.partLeft = reclaim.partLeft(worst.queue);
        siblings.add(worst);
        return lost;
      }
    }
    return null;
  }

  private EvictionSearch.@Nullable Candidate nextOf(Side side) {
    if (!isAnybody && !winner.isIn(side.queue) && !reclaim.mayLoseAny(side.queue)) {
      return null;
    }
    @Nullable PriorityQueue<Side> parts = side.parts;
    if (parts == null && side.jobs == null) {
      side.jobs = jobsOf(side.queue);
    }
    if (side.jobs != null) {
      return nextOf(side, side.jobs);
    }
    if (parts == null) {
      parts = new PriorityQueue<>(Side.WORST_FIRST);
      for (QueueAccount part : side.queue.children()) {
        add(part, parts);
      }
      side.parts = parts;
    }
    return next(parts);
  }

  /** Returns the candidates of a queue as a whole; null if its children are visited separately. */
  private @Nullable QueueCandidates jobsOf(QueueAccount queue) {
    @Nullable List<EvictionSearch.Candidate> lost =
        isBesideWinner(queue) ? known.apply(queue) : null;
    if (lost != null) {
      Iterator<EvictionSearch.Candidate> all = lost.iterator();
      return (mayLose, helps) -> all.hasNext() ? all.next() : null;
    }
    return queue.children().isEmpty() ? jobsOf.apply(queue) : null;
  }

  private boolean isBesideWinner(QueueAccount queue) {
    @Nullable QueueAccount parent = queue.parent();
    return !winner.isIn(queue) && (parent == null || winner.isIn(parent));
  }

  private EvictionSearch.@Nullable Candidate nextOf(Side side, QueueCandidates jobs) {
    EvictionSearch.@Nullable Candidate lost =
        jobs.next(charge -> isAnybody || reclaim.mayLose(side.queue, charge), helps);
    if (lost != null) {
      reclaim.lose(side.queue, losses.charge(lost));
    }
    return lost;
  }
}
