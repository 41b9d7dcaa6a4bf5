package io.github.liquidscheduler.scheduler.eviction;

import io.github.liquidscheduler.placement.gang.TaskShape;
import io.github.liquidscheduler.placement.makeroom.LeftNodes;
import io.github.liquidscheduler.scheduler.queue.JobEntry;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.quota.QueueAccount;
import io.github.liquidscheduler.scheduler.quota.Reclaim;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Who may leave for jobs that wait in a tree of queues, and where: counted before anybody is taken
 * out of the cluster. For one turn.
 */
public final class LosableJobs {

  private final JobTable table;
  private final Set<JobEntry> started;
  private long counted = -1;
  private @Nullable LeftNodes last;

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
  public LosableJobs(JobTable table, Set<JobEntry> started) {
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
    boolean areNear = false;
    Spared spared = new Spared();
    for (@Nullable QueueAccount mine = winner.account(); mine != null; mine = mine.parent()) {
      for (QueueAccount theirs : mine.siblings()) {
        if (!theirs.equals(mine) && rules.mayLoseAny(theirs)) {
          boolean isSome = add(ReclaimedJobs.losingOf(theirs, table, winner, rules, spared), nodes);
          areNear |= mine.isPart() && isSome;
        }
      }
    }
    return new Answer(mayHold(winner, nodes), areNear, spared.isMet);
  }

  private boolean add(ReclaimedJobs jobs, LeftNodes nodes) {
    boolean isSome = jobs.hasNext();
    while (jobs.hasNext()) {
      nodes.add(jobs.next().nodes(table.cluster().topology()));
    }
    return isSome;
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
