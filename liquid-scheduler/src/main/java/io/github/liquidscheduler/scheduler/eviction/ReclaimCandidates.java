package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.placement.eviction.EvictionSearch;
import io.github.liquidscheduler.placement.eviction.LeftNodes;
import io.github.liquidscheduler.placement.eviction.NodeSet;
import io.github.liquidscheduler.placement.gang.TaskShape;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.quota.Charge;
import io.github.liquidscheduler.scheduler.quota.LossCache;
import io.github.liquidscheduler.scheduler.quota.QueueAccount;
import io.github.liquidscheduler.scheduler.quota.Reclaim;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/*
 * Idea: a queue's losses to a winner depend on that queue, on the winner's branch and on the
 * useful nodes alone. So they are searched once, cached (LossCache) and summed by node; a winner
 * whose shortage exceeds the sum is not searched for at all.
 * Invariants: the sum is an upper bound, so that mayHelp == false is certain; results with
 * jobs spared at this instant are kept for this instant only. QueueRetryLaws and
 * ShortQueueEventLaws compare with searches.
 * Cost: O(siblings on the path to the root x resources) with everything cached, plus O(victims x
 * nodes) for each queue that is not; the sum is skipped if the GPUs alone are too few. QueueBench.
 */
/**
 * Candidates for reclaim in a queue tree, counted by node before any job is removed from the
 * cluster. Valid for one turn.
 */
final class ReclaimCandidates {

  // A queue with more victims than this is checked before the next one is visited.
  private static final int MANY = 500;

  private final JobTable table;
  private final Predicate<JobEntry> spared;
  private final boolean sparesAny;
  private final LossCache ofInstant;
  private long counted = -1;

  /**
   * The counted answer about the candidates for a job.
   *
   * @param mayHelp false if all of them together hold too little on useful nodes
   * @param areNear whether a queue of the job's own root may lose jobs anywhere
   * @param hasSpared whether more candidates are spared at this instant
   */
  record Answer(boolean mayHelp, boolean areNear, boolean hasSpared) {

    /** The answer without knowledge. */
    static final Answer NONE = new Answer(true, true, false);
  }

  private ReclaimCandidates(JobTable table, Predicate<JobEntry> spared, boolean sparesAny) {
    this.table = table;
    this.spared = spared;
    this.sparesAny = sparesAny;
    ofInstant = table.quotas().knownLosses().at(sparesAny ? table.now() : Instant.MAX);
  }

  /** Makes the candidates of this instant, at which these jobs are spared. */
  static ReclaimCandidates now(JobTable table, Predicate<JobEntry> spared) {
    return new ReclaimCandidates(table, spared, true);
  }

  /** Makes the candidates of a later instant, at which no job is spared. */
  static ReclaimCandidates later(JobTable table) {
    return new ReclaimCandidates(table, any -> false, false);
  }

  /**
   * Returns the answer for a job that found too little capacity.
   *
   * @param rules the rules, which take note of the losses
   * @param nearestFirst whether for the nearest-first order, in which jobs beside the winner's
   *     ancestors count wherever they run
   */
  Answer ask(JobEntry winner, Reclaim rules, boolean nearestFirst) {
    return ask(winner, rules, known(winner, nearestFirst));
  }

  private Function<QueueAccount, Known> known(JobEntry winner, boolean nearestFirst) {
    Known helpful = new Known(HelpfulNodes.rule(winner.job()));
    if (!nearestFirst || HelpfulNodes.areAll(table.cluster(), winner.job())) {
      return any -> helpful;
    }
    Known anywhere = new Known(LossCache.NodeFilter.ANYWHERE);
    return queue -> queue.isPart() ? anywhere : helpful;
  }

  /**
   * Returns the losses of queues found by {@link #ask}, in order; null if outdated.
   *
   * @param rules the rules, with the losses noted so far
   */
  Function<QueueAccount, @Nullable List<EvictionSearch.Candidate>> knownLosses(
      JobEntry winner, Reclaim rules, boolean nearestFirst) {
    Function<QueueAccount, Known> known = known(winner, nearestFirst);
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
    SparedJobs met = SparedJobs.now(spared);
    Charge before = rules.lost(theirs);
    List<EvictionSearch.Candidate> lost = new ArrayList<>();
    List<NodeSet> nodes = new ArrayList<>();
    long gpus = 0;
    ReclaimVictims jobs =
        ReclaimVictims.stopping(table, winner, met, rules, any -> null).only(theirs, anywhere);
    while (jobs.hasNext()) {
      EvictionSearch.Candidate next = jobs.next();
      lost.add(next);
      NodeSet held = next.nodes(table.cluster().topology());
      nodes.add(held);
      gpus += held.allGpus();
    }
    Charge sum = rules.lost(theirs).without(before);
    return new LossCache.Loss(lost, nodes, gpus, sum, met.isMet());
  }

  /** Returns a sum over nodes; its base is kept until a queue's usage changes. */
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

  /** The losses of queues to a winner, summed by node only if they hold enough GPUs. */
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

    /** Returns true if the losses and the free capacity may be enough. */
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

  /** The cached losses for one set of useful nodes. */
  private final class Known {

    private final LossCache.OnNodes now;
    private final LossCache.OnNodes always;
    private final boolean isAnywhere;

    Known(LossCache.NodeFilter filter) {
      isAnywhere = filter.anywhere();
      now = ofInstant.on(filter);
      always = table.quotas().knownLosses().on(filter);
    }

    /** Returns the cached loss of a queue, or null. */
    LossCache.@Nullable Loss find(QueueAccount queue, Reclaim.WinnerSide side) {
      long order = table.quotas().orderVersion();
      LossCache.@Nullable Loss known = now.find(queue, side, order);
      return known == null ? always.find(queue, side, order) : known;
    }

    /** Returns the loss of a queue, searched if it is not cached, and notes it in the rules. */
    LossCache.Loss find(
        QueueAccount queue, Reclaim.WinnerSide side, JobEntry winner, Reclaim rules) {
      LossCache.@Nullable Loss known = find(queue, side);
      if (known != null) {
        rules.lose(queue, known.sum());
        return known;
      }
      LossCache.Loss found = look(queue, winner, rules, isAnywhere);
      (found.hasSpared() || !sparesAny ? now : always)
          .note(queue, side, table.quotas().orderVersion(), found);
      return found;
    }
  }
}
