package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.LazyIterator;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.quota.Charge;
import io.github.liquidscheduler.scheduler.quota.QueueAccount;
import io.github.liquidscheduler.scheduler.quota.Reclaim;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/*
 * Idea: from the roots down, the sibling with the largest usage relative to its due gives next, the
 * last of its jobs in turn first; each loss is noted in the rules before the next one is asked for.
 * Invariants: a queue gives only while the rules allow it; one that may lose nothing is never
 * visited again. QueueLaws, GivingBackLaws.
 * Cost: O(depth x log siblings) for each victim, independent of the number of queues; the losses
 * of a queue beside the winner's branch may be known from before. QueueBench.
 * Source: the order in which KAI-Scheduler reclaims.
 */
/**
 * Victims of other queues for a waiting job, whole jobs or tasks, in the order in which they give.
 */
final class ReclaimVictims extends LazyIterator<EvictionSearch.Candidate> {

  private final JobTable table;
  private final QueueAccount winner;
  private final Reclaim rules;
  private final ResourceLoss losses;
  private final boolean isMoving;
  private final Function<QueueAccount, @Nullable List<EvictionSearch.Candidate>> known;
  private final Predicate<JobEntry> isAsked;
  private final Predicate<JobEntry> helps;
  private final Deque<PriorityQueue<Side>> groups = new ArrayDeque<>();

  /** A queue with its children or its candidates. */
  private static final class Side {

    static final Comparator<Side> WORST_FIRST =
        (one, other) -> {
          int byPart = Double.compare(other.partLeft, one.partLeft);
          return byPart == 0 ? Integer.compare(other.queue.index(), one.queue.index()) : byPart;
        };

    private final QueueAccount queue;
    private final Predicate<JobEntry> helps;
    private double partLeft;
    private @Nullable PriorityQueue<Side> parts;
    private @Nullable Iterator<? extends EvictionSearch.Candidate> units;
    private boolean isKnown;
    // Charges that the queue may not lose, now and later. Never iterated.
    private final Set<Charge> kept = new HashSet<>();

    Side(QueueAccount queue, Predicate<JobEntry> helps, double partLeft) {
      this.queue = queue;
      this.helps = helps;
      this.partLeft = partLeft;
    }
  }

  private ReclaimVictims(
      JobTable table,
      JobEntry winner,
      Predicate<JobEntry> isAsked,
      Reclaim rules,
      boolean isMoving,
      Function<QueueAccount, @Nullable List<EvictionSearch.Candidate>> known) {
    this.table = table;
    this.winner = winner.account();
    this.isAsked = isAsked;
    this.rules = rules;
    losses = new ResourceLoss(table);
    this.isMoving = isMoving;
    this.known = known;
    HelpfulNodes nodes = new HelpfulNodes(table.cluster(), winner.job());
    helps = job -> nodes.touch(job) && isAsked.test(job);
  }

  /**
   * Makes an empty order of victims that stop.
   *
   * @param rules the rules, which take note of each loss
   * @param known the cached loss of a queue beside a branch of the winner; null if unknown
   */
  static ReclaimVictims stopping(
      JobTable table,
      JobEntry winner,
      SparedJobs spared,
      Reclaim rules,
      Function<QueueAccount, @Nullable List<EvictionSearch.Candidate>> known) {
    return new ReclaimVictims(table, winner, job -> !spared.test(job), rules, false, known);
  }

  /** Returns the jobs that may move, whether they may stop or not. */
  static ReclaimVictims moving(JobTable table, JobEntry winner, SparedJobs spared, Reclaim rules) {
    return new ReclaimVictims(
            table,
            winner,
            job -> VictimRelocation.isMovable(job) && !spared.test(job),
            rules,
            true,
            any -> null)
        .everywhere(false);
  }

  /**
   * Adds all queues.
   *
   * @param anywhere whether losses count on any node, since they free quota
   */
  ReclaimVictims everywhere(boolean anywhere) {
    add(winner.root().siblings(), anywhere);
    return this;
  }

  /** Adds one queue, which does not contain the winner. */
  ReclaimVictims only(QueueAccount queue, boolean anywhere) {
    add(List.of(queue), anywhere);
    return this;
  }

  /**
   * Adds all queues, those first that count for the same ancestors as the winner, whose quota it
   * may use: below the top, losses count on any node.
   */
  ReclaimVictims nearestFirst() {
    for (@Nullable QueueAccount at = winner; at != null; at = at.parent()) {
      QueueAccount branch = at;
      add(at.siblings().stream().filter(queue -> !queue.equals(branch)).toList(), at.isPart());
    }
    return this;
  }

  private void add(List<QueueAccount> queues, boolean anywhere) {
    groups.add(sides(queues, anywhere ? isAsked : helps));
  }

  private PriorityQueue<Side> sides(List<QueueAccount> queues, Predicate<JobEntry> helping) {
    PriorityQueue<Side> sides = new PriorityQueue<>(Side.WORST_FIRST);
    for (QueueAccount queue : queues) {
      if (!queue.equals(winner)) {
        sides.add(new Side(queue, helping, rules.partLeft(queue)));
      }
    }
    return sides;
  }

  @Override
  protected EvictionSearch.@Nullable Candidate find() {
    while (!groups.isEmpty()) {
      EvictionSearch.@Nullable Candidate lost = next(groups.getFirst());
      if (lost != null) {
        return lost;
      }
      groups.removeFirst();
    }
    return null;
  }

  private EvictionSearch.@Nullable Candidate next(PriorityQueue<Side> siblings) {
    for (@Nullable Side worst = siblings.poll(); worst != null; worst = siblings.poll()) {
      EvictionSearch.@Nullable Candidate lost = next(worst);
      if (lost != null) {
        worst.partLeft = rules.partLeft(worst.queue);
        siblings.add(worst);
        return lost;
      }
    }
    return null;
  }

  private EvictionSearch.@Nullable Candidate next(Side side) {
    if (!isMoving && !winner.isIn(side.queue) && !rules.mayLoseAny(side.queue)) {
      return null;
    }
    if (side.parts == null && side.units == null) {
      open(side);
    }
    return side.parts == null ? nextUnit(side) : next(side.parts);
  }

  private void open(Side side) {
    QueueAccount queue = side.queue;
    @Nullable List<EvictionSearch.Candidate> lost =
        isBesideWinner(queue) ? known.apply(queue) : null;
    if (lost != null) {
      side.isKnown = true;
      side.units = lost.iterator();
    } else if (queue.children().isEmpty()) {
      Iterator<JobEntry> jobs = table.running().preemptibleOf(queue);
      side.units = isMoving ? jobs : losses.of(jobs);
    } else {
      side.parts = sides(queue.children(), side.helps);
    }
  }

  private boolean isBesideWinner(QueueAccount queue) {
    @Nullable QueueAccount parent = queue.parent();
    return !winner.isIn(queue) && (parent == null || winner.isIn(parent));
  }

  private EvictionSearch.@Nullable Candidate nextUnit(Side side) {
    while (side.units != null && side.units.hasNext()) {
      EvictionSearch.Candidate unit = side.units.next();
      Charge charge = losses.charge(unit);
      if (side.isKnown || (mayLose(side, charge) && side.helps.test(ResourceLoss.job(unit)))) {
        rules.lose(side.queue, charge);
        return unit;
      }
    }
    return null;
  }

  private boolean mayLose(Side side, Charge charge) {
    if (isMoving || side.kept.contains(charge)) {
      return isMoving;
    }
    boolean isLost = rules.mayLose(side.queue, charge);
    if (!isLost) {
      side.kept.add(charge);
    }
    return isLost;
  }
}
