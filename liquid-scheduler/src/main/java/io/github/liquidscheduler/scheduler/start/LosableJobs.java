package io.github.liquidscheduler.scheduler.start;

import io.github.liquidscheduler.placement.gang.TaskShape;
import io.github.liquidscheduler.placement.makeroom.LeftNodes;
import io.github.liquidscheduler.placement.makeroom.MakeRoom;
import io.github.liquidscheduler.placement.makeroom.NodeSet;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.KnownLosses;
import io.github.liquidscheduler.scheduler.quota.Charge;
import io.github.liquidscheduler.scheduler.quota.QueueAccount;
import io.github.liquidscheduler.scheduler.quota.Reclaim;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Who may leave for jobs that wait in a tree of queues, and where: counted before anybody is taken
 * out of the cluster. What a queue may lose is mostly the same for all who may take something back
 * from it, so it is kept. For one turn.
 */
final class LosableJobs {

  private final JobTable table;
  private final Set<JobEntry> started;
  // Never iterated.
  private final Map<KnownLosses.Loser, KnownLosses.Loss> withoutSpared = new HashMap<>();
  private long counted = -1;
  private @Nullable LeftNodes last;

  /**
   * What a queue may lose.
   *
   * @param hasSpared whether there are more who have started in this turn
   */
  private record Now(KnownLosses.Loss loss, boolean hasSpared) {}

  /**
   * What is known of those who may leave for a job.
   *
   * @param mayHelp false if all of them hold too little where the job needs it
   * @param areNear whether some of them are in the same queue at the top as the job
   * @param hasSpared whether there are more who have started in this turn
   */
  record Answer(boolean mayHelp, boolean areNear, boolean hasSpared) {

    /** Nothing is known. */
    static final Answer NONE = new Answer(true, true, false);
  }

  /**
   * Makes the question.
   *
   * @param started who has started in this turn, so that nobody may take it; may grow
   */
  LosableJobs(JobTable table, Set<JobEntry> started) {
    this.table = table;
    this.started = started;
  }

  /** Returns who has started in this turn. */
  Set<JobEntry> started() {
    return started;
  }

  /** Returns what is known of those who may leave for a job that has found too little room. */
  Answer ask(JobEntry winner) {
    return ask(winner, table.quotas().reclaimFor(winner).withoutRightsFromLosses());
  }

  /** Returns the same if the nearest are asked first. */
  Answer askNearestFirst(JobEntry winner) {
    return ask(winner, table.quotas().reclaimFor(winner));
  }

  private Answer ask(JobEntry winner, Reclaim rules) {
    LeftNodes nodes = begin();
    KnownLosses.Nodes asked = new HelpfulNodes(table.cluster(), winner.job()).asked();
    boolean areNear = false;
    boolean hasSpared = false;
    for (@Nullable QueueAccount mine = winner.account(); mine != null; mine = mine.parent()) {
      boolean isOwing = rules.isOwed(mine);
      List<Double> above = rules.above(mine);
      for (QueueAccount theirs : mine.siblings()) {
        if (!theirs.equals(mine) && rules.mayLoseAny(theirs)) {
          KnownLosses.Loser loser =
              new KnownLosses.Loser(theirs, isOwing, rules.isForSome(), above, asked);
          Now now = find(loser, winner, rules);
          now.loss().held().forEach(nodes::add);
          areNear |= mine.isPart() && !now.loss().held().isEmpty();
          hasSpared |= now.hasSpared();
        }
      }
    }
    return new Answer(mayHold(winner, nodes), areNear, hasSpared);
  }

  /** What is free, and what jobs hold, changes only when queues hold something else. */
  private LeftNodes begin() {
    long now = table.quotas().searched();
    @Nullable LeftNodes known = last;
    if (known == null || now != counted) {
      known = new LeftNodes(table.cluster().index());
      last = known;
      counted = now;
    } else {
      known.clear();
    }
    return known;
  }

  private Now find(KnownLosses.Loser loser, JobEntry winner, Reclaim rules) {
    KnownLosses known = table.quotas().losses();
    KnownLosses.@Nullable Loss loss = known.find(loser);
    boolean hasSpared = false;
    if (loss == null) {
      loss = withoutSpared.get(loser);
      hasSpared = loss != null && loss.at() == loser.queue().changedAt();
      loss = hasSpared ? loss : null;
    }
    if (loss == null) {
      Now now = count(loser.queue(), winner, rules);
      if (now.hasSpared()) {
        withoutSpared.put(loser, now.loss());
      } else {
        known.remember(loser, now.loss());
      }
      return now;
    }
    if (loss.sum() != null) {
      rules.lose(loser.queue(), loss.sum());
    }
    return new Now(loss, hasSpared);
  }

  private Now count(QueueAccount theirs, JobEntry winner, Reclaim rules) {
    Spared spared = new Spared();
    ReclaimedJobs jobs = ReclaimedJobs.losingOf(theirs, table, winner, rules, spared);
    List<NodeSet> held = new ArrayList<>();
    @Nullable Charge sum = null;
    Losses each = new Losses(table);
    while (jobs.hasNext()) {
      MakeRoom.Candidate lost = jobs.next();
      held.add(lost.nodes(table.cluster().topology()));
      sum = sum == null ? each.charge(lost) : sum.with(each.charge(lost));
    }
    return new Now(new KnownLosses.Loss(theirs.changedAt(), held, sum), spared.isMet);
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

  /** Returns whether what they hold may be enough, with what is free beside it. */
  private static boolean mayHold(JobEntry winner, LeftNodes nodes) {
    @Nullable TaskShape lacking = winner.shortage().task(winner);
    return lacking == null
        ? nodes.mayHold(winner.job(), winner.placementClass().tasks())
        : nodes.mayHold(winner.job(), lacking, winner.shortage().missing());
  }
}
