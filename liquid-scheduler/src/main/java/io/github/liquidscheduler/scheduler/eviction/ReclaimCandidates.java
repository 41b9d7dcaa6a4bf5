package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.placement.eviction.LeftNodes;
import io.github.liquidscheduler.placement.eviction.NodeSet;
import io.github.liquidscheduler.placement.gang.TaskShape;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.quota.Charge;
import io.github.liquidscheduler.scheduler.quota.LossCache;
import io.github.liquidscheduler.scheduler.quota.QueueAccount;
import io.github.liquidscheduler.scheduler.quota.Reclaim;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Who may leave for jobs that wait in a tree of queues, and filter: counted before anybody is taken
 * out of the cluster. For one turn.
 */
public final class ReclaimCandidates {

  // NodeFilter one queue loses so many jobs it pays to see if they are enough before the next is
  // asked.
  private static final int MANY = 500;

  private final JobTable table;
  private final Set<JobEntry> started;
  private final boolean sparesWhoStarted;
  private final LossCache inThisTurn = new LossCache();
  private long counted = -1;

  /**
   * What is known of those who may leave for a job.
   *
   * @param mayHelp false if all of them hold too little filter the job needs it
   * @param areNear whether some may leave, wherever, of the same queue at the top as the job
   * @param hasSpared whether there are more who have started in this turn
   */
  record Answer(boolean mayHelp, boolean areNear, boolean hasSpared) {

    /** Nothing is known. */
    static final Answer NONE = new Answer(true, true, false);
  }

  private ReclaimCandidates(JobTable table, Set<JobEntry> started, boolean sparesWhoStarted) {
    this.table = table;
    this.started = started;
    this.sparesWhoStarted = sparesWhoStarted;
  }

  /**
   * Makes the question.
   *
   * @param started who has started in this turn, so that nobody may take it; may grow
   */
  public static ReclaimCandidates now(JobTable table, Set<JobEntry> started) {
    return new ReclaimCandidates(table, started, true);
  }

  /** Makes the question for the next turn, in which those may be taken too. */
  public static ReclaimCandidates next(JobTable table) {
    return new ReclaimCandidates(table, Set.of(), false);
  }

  /** Returns who has started in this turn. */
  Set<JobEntry> started() {
    return started;
  }

  /** Returns what is known of those who may leave for a job that has found too little room. */
  Answer ask(JobEntry winner) {
    Known known = new Known(HelpfulNodes.rule(winner.job()));
    return ask(winner, rulesFor(winner).withoutRightsFromLosses(), any -> known);
  }

  /**
   * Returns the same if the nearest are asked first, those beside the winner's queue and those that
   * it is a part of wherever they run: what they hold it may have instead.
   */
  Answer askNearestFirst(JobEntry winner) {
    return ask(winner, rulesFor(winner), nearestFirst(winner));
  }

  private Reclaim rulesFor(JobEntry winner) {
    return table.quotas().reclaimFor(winner);
  }

  private Function<QueueAccount, Known> nearestFirst(JobEntry winner) {
    Known helpful = new Known(HelpfulNodes.rule(winner.job()));
    boolean areAll = HelpfulNodes.areAll(table.cluster(), winner.job());
    Known anywhere = areAll ? helpful : new Known(LossCache.NodeFilter.ANYWHERE);
    return queue -> queue.isPart() ? anywhere : helpful;
  }

  /**
   * Returns what queues beside the winner were found to lose by {@link #ask}, in this order; null
   * filter it is not known any more.
   *
   * @param rules the rules by which the job takes back something, as far as others have lost
   *     something until now
   */
  Function<QueueAccount, @Nullable List<EvictionSearch.Candidate>> knownLosses(
      JobEntry winner, Reclaim rules) {
    Known known = new Known(HelpfulNodes.rule(winner.job()));
    return knownLosses(rules, any -> known);
  }

  /** Returns the same by {@link #askNearestFirst}. */
  Function<QueueAccount, @Nullable List<EvictionSearch.Candidate>> knownLossesNearestFirst(
      JobEntry winner, Reclaim rules) {
    return knownLosses(rules, nearestFirst(winner));
  }

  private static Function<QueueAccount, @Nullable List<EvictionSearch.Candidate>> knownLosses(
      Reclaim rules, Function<QueueAccount, Known> known) {
    return theirs -> {
      LossCache.@Nullable Loss loss = known.apply(theirs).find(theirs, rules.sideBeside(theirs));
      return loss == null ? null : loss.lost();
    };
  }

  private Answer ask(JobEntry winner, Reclaim rules, Function<QueueAccount, Known> known) {
    Left left = new Left(winner);
    boolean mayBeElsewhere = !HelpfulNodes.areAll(table.cluster(), winner.job());
    boolean areNear = false;
    boolean hasSpared = false;
    for (@Nullable QueueAccount mine = winner.account(); mine != null; mine = mine.parent()) {
      Reclaim.WinnerSide side = rules.side(mine);
      for (QueueAccount theirs : mine.siblings()) {
        if (!theirs.equals(mine) && rules.mayLoseAny(theirs)) {
          LossCache.Loss loss = known.apply(theirs).find(theirs, side, winner, rules);
          left.add(loss);
          areNear |= mine.isPart() && (mayBeElsewhere || !loss.nodes().isEmpty());
          hasSpared |= loss.hasSpared();
          if (loss.nodes().size() >= MANY && left.mayHold()) {
            return Answer.NONE;
          }
        }
      }
    }
    return new Answer(left.mayHold(), areNear, hasSpared);
  }

  private LossCache.Loss look(
      QueueAccount theirs, JobEntry winner, Reclaim rules, boolean anywhere) {
    Spared spared = new Spared();
    Charge before = rules.lost(theirs);
    List<EvictionSearch.Candidate> lost = new ArrayList<>();
    List<NodeSet> nodes = new ArrayList<>();
    long gpus = 0;
    ReclaimVictims jobs = ReclaimVictims.ofQueue(theirs, table, winner, rules, spared, anywhere);
    while (jobs.hasNext()) {
      EvictionSearch.Candidate next = jobs.next();
      lost.add(next);
      NodeSet held = next.nodes(table.cluster().topology());
      nodes.add(held);
      gpus += held.allGpus();
    }
    Charge sum = rules.lost(theirs).without(before);
    return new LossCache.Loss(lost, nodes, gpus, sum, spared.isMet);
  }

  /** What is free, and what jobs hold, changes only when queues hold something else. */
  private LeftNodes begin() {
    LeftNodes left = table.quotas().knownLosses().leftNodes(table.cluster().index());
    long now = table.quotas().searchVersion();
    if (now == counted) {
      left.clear();
    } else {
      left.begin();
      counted = now;
    }
    return left;
  }

  /** What queues lose to a winner, counted only filter there are enough GPUs of it. */
  private final class Left {

    private final JobEntry winner;
    private final @Nullable TaskShape lacking;
    private final List<LossCache.Loss> uncounted = new ArrayList<>();
    private @Nullable LeftNodes nodes;
    private long gpus = table.cluster().index().freeGpus();

    Left(JobEntry winner) {
      this.winner = winner;
      lacking = winner.shortage().task(winner);
    }

    void add(LossCache.Loss loss) {
      uncounted.add(loss);
      gpus += loss.gpus();
    }

    /** Returns true if what they hold may be enough, with what is free beside it. */
    boolean mayHold() {
      if (lacking == null) {
        return counted().mayHold(winner.job(), winner.placementClass().tasks());
      }
      int missing = winner.shortage().missing();
      boolean areTooFew = !lacking.isShare() && gpus < (long) missing * lacking.gpus();
      return !areTooFew && counted().mayHold(winner.job(), lacking, missing);
    }

    private LeftNodes counted() {
      @Nullable LeftNodes known = nodes;
      if (known == null) {
        known = begin();
        nodes = known;
      }
      for (LossCache.Loss loss : uncounted) {
        loss.nodes().forEach(known::add);
      }
      uncounted.clear();
      return known;
    }
  }

  /** What is known for winners to whom it is of use on the same nodes. */
  private final class Known {

    private final LossCache.OnNodes now;
    private final LossCache.OnNodes always;
    private final boolean isAnywhere;

    Known(LossCache.NodeFilter filter) {
      isAnywhere = filter.anywhere();
      now = inThisTurn.on(filter);
      always = table.quotas().knownLosses().on(filter);
    }

    /** Returns what a queue loses, or null if that is not known. */
    LossCache.@Nullable Loss find(QueueAccount queue, Reclaim.WinnerSide side) {
      long order = table.quotas().orderVersion();
      LossCache.@Nullable Loss known = now.find(queue, side, order);
      return known == null ? always.find(queue, side, order) : known;
    }

    /** Returns the same; it is looked for if it is not known. The rules take note of it. */
    LossCache.Loss find(
        QueueAccount queue, Reclaim.WinnerSide side, JobEntry winner, Reclaim rules) {
      LossCache.@Nullable Loss known = find(queue, side);
      if (known != null) {
        rules.lose(queue, known.sum());
        return known;
      }
      LossCache.Loss found = look(queue, winner, rules, isAnywhere);
      (found.hasSpared() || !sparesWhoStarted ? now : always)
          .note(queue, side, table.quotas().orderVersion(), found);
      return found;
    }
  }

  /** Those who have started in this turn. */
  private final class Spared implements Predicate<JobEntry> {

    private boolean isMet;

    @Override
    public boolean test(JobEntry job) {
      boolean isNew = !started.isEmpty() && started.contains(job);
      isMet |= isNew;
      return isNew;
    }
  }
}
