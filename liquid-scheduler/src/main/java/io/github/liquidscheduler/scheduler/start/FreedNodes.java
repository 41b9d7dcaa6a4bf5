package io.github.liquidscheduler.scheduler.start;

import io.github.liquidscheduler.job.Sharing;
import io.github.liquidscheduler.placement.eviction.ClusterCapacity;
import io.github.liquidscheduler.placement.eviction.LeastRequests;
import io.github.liquidscheduler.placement.gang.TaskShape;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.MissingTasks;
import io.github.liquidscheduler.scheduler.queue.Agenda;
import io.github.liquidscheduler.scheduler.queue.JobAdmission;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.queue.WaitingClasses;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/*
 * Idea: a job that failed can fit now only if one of its tasks goes on a node that has grown
 * since. So each question is about the grown nodes, with the least requests of a class as a sieve,
 * and a class with a known shortage counts only the growth since its last failure.
 * Invariants: a negative answer is certain, a positive one is not; capacity only shrinks within a
 * pass except after pre-emptions. RetryLaws, FullClusterLaws.
 * Cost: O(grown nodes + pre-emptible jobs on them) once, then O(nodes grown since the class was
 * asked) for a class. EventBench.
 */
/**
 * Says which waiting jobs may fit on capacity released by an event. A job that did not fit can fit
 * now only if a task goes on a node whose capacity has grown; capacity counts what is free and what
 * the job may take from others. A job of which no task fits on such a node is known to fail.
 *
 * <p>Holds for {@linkplain io.github.liquidscheduler.scheduling.Placer#isCapacityBound()
 * capacity-bound} placers; with others any growth may help any job. New knowledge about co-runners
 * may help jobs that share GPUs on any node.
 */
final class FreedNodes {

  private final JobTable table;
  private final JobAdmission admission;
  private final Agenda agenda;
  private final boolean helpAnywhere;
  private final boolean countsSearches;
  private final AvailableCapacity everywhere;
  private final GrownCapacity grown;

  /**
   * Makes the filter.
   *
   * @param helpAnywhere whether growth on any node may help any job
   * @param countsSearches whether jobs are asked about all growth, known shortage or not, so that a
   *     restored scheduler searches for the same jobs
   * @param grown the capacity that has grown
   */
  FreedNodes(JobTable table, boolean helpAnywhere, boolean countsSearches, GrownCapacity grown) {
    this.countsSearches = countsSearches;
    this.table = table;
    this.helpAnywhere = helpAnywhere;
    admission = table.quotas().admission();
    agenda = table.agenda();
    everywhere = new AvailableCapacity(table);
    this.grown = grown;
  }

  /** Notes a start, which reduces capacity. */
  void started(JobEntry job) {
    everywhere.started(job);
    grown.started(job);
  }

  /** Notes pre-emptions. */
  void preempted() {
    everywhere.clear();
    grown.preempted(table.quotas().hasQueueTree() && !helpAnywhere);
  }

  /**
   * Returns true if more than the growth may help a job: in a queue tree, if victims of other
   * queues may. Otherwise the job uses free capacity and that of its own queue.
   */
  private boolean mayBeHelpedAnywhere(JobEntry job) {
    return helpAnywhere || admission.dependsOnOthers(job);
  }

  /** Returns true if the growth may help the first job of a class, and counts it for the class. */
  boolean isHelped(JobEntry job) {
    return classes().mayBeHelped(job)
        && !table.eligible().hasToWaitForTurn(job)
        && mayHoldAny(job)
        && helps(job);
  }

  /**
   * Returns the position of the next request, from one on, that a grown node may hold; the given
   * one if more than that decides about the first jobs of these classes.
   */
  int passOver(JobEntry job, LeastRequests requests, int position) {
    boolean mayHelpAnybody =
        helpAnywhere
            || (table.quotas().hasQueueTree() && !classes().ofQueueOf(job).isQuiet())
            || agenda.hasRelearned()
            || !agenda.admitted().isEmpty();
    // Jobs of higher rank may take no more from others.
    return mayHelpAnybody ? position : grown.forJob(job).nextHeld(requests, position);
  }

  /** Returns false if no grown node can hold any task of the job. */
  private boolean mayHoldAny(JobEntry job) {
    return mayBeHelpedAnywhere(job)
        || agenda.hasRelearned()
        || !agenda.newCoRunners(job).isEmpty()
        || grown.forJob(job).mayHold(job.placementClass().leastTask());
  }

  /** Counts the growth for a class, given its first job; returns false if it is too little. */
  private boolean helps(JobEntry job) {
    MissingTasks shortage = job.shortage();
    if (mayBeHelpedAnywhere(job)) {
      countBesideOthers(job);
      return agenda.hasGrownFor(job);
    }
    if (admission.excess(job).isPresent()) {
      // Growth is not counted for the job until its queue may admit it.
      shortage.clear();
      shortage.exceed(true);
      return false;
    }
    boolean mustAsk = countsSearches || shortage.task(job) == null;
    return mustAsk ? mayHelp(job) : !stillLacks(job);
  }

  /**
   * Counts the growth for a job that may evict others, so that its shortage without evictions stays
   * known. Clears it if more than capacity decides.
   */
  private void countBesideOthers(JobEntry job) {
    if (helpAnywhere || !admission.mayReclaim(job)) {
      job.shortage().clear();
    } else {
      stillLacks(job);
    }
  }

  /** Counts the growth for a job with a shortage; returns true if the shortage remains. */
  private boolean stillLacks(JobEntry job) {
    MissingTasks shortage = job.shortage();
    long since = shortage.since(job);
    if (since < agenda.firstGrowth() && table.hasOneHead()) {
      // Only the head of the queue was asked at the events since then.
      shortage.clear();
    }
    @Nullable TaskShape task = shortage.task(job);
    if (task == null) {
      return false;
    }
    int missing = shortage.missing();
    int more =
        grown
            .forJob(job)
            .moreTasks(
                job.job(), job.placementClass().leastTask(), task, job.rank(), since, missing);
    shortage.reduce(more, agenda.nextGrowth());
    return shortage.missing() > 0;
  }

  /**
   * Returns true if the job is known, without a look at the whole cluster, to lack capacity unless
   * jobs of other queues leave.
   */
  boolean isKnownToLack(JobEntry job) {
    return isCounted(job) && stillLacks(job);
  }

  /** Returns true if the shortage of the job is counted. */
  private boolean isCounted(JobEntry job) {
    return job.job().sharing() instanceof Sharing.Exclusive
        && (!mayBeHelpedAnywhere(job) || (!helpAnywhere && admission.mayReclaim(job)));
  }

  /**
   * Returns true if the whole cluster has too little capacity for some role of the job. If jobs of
   * other queues may leave, only notes the shortage.
   */
  boolean isTooLittle(JobEntry job) {
    if (!isCounted(job)) {
      return false;
    }
    boolean dependsOnOthers = mayBeHelpedAnywhere(job);
    if (stillLacks(job)) {
      return !dependsOnOthers;
    }
    Optional<ClusterCapacity.Lack> lack = everywhere.forJob(job).lack(job.job());
    lack.ifPresent(
        known ->
            job.shortage().lack(known.role(), known.missing(), job.rank(), agenda.nextGrowth()));
    return lack.isPresent() && !dependsOnOthers;
  }

  /** Notes a failed attempt. */
  void failed(JobEntry job) {
    if (!mayBeHelpedAnywhere(job) && job.shortage().task(job) == null) {
      job.shortage().failed(job.rank(), agenda.nextGrowth());
    }
  }

  /** Returns false if no growth can help a job that failed before. */
  boolean mayHelp(JobEntry job) {
    if (!agenda.hasGrownFor(job) && agenda.loosened().isEmpty()) {
      return false;
    }
    boolean shares = !(job.job().sharing() instanceof Sharing.Exclusive);
    if (mayBeHelpedAnywhere(job) || (agenda.hasRelearned() && shares)) {
      return true;
    }
    List<TaskShape> tasks = job.placementClass().tasks();
    long since = countsSearches ? 0 : job.shortage().since(job);
    boolean mayHold =
        grown
            .forJob(job)
            .mayHold(job.job(), job.placementClass().leastTask(), tasks, job.rank(), since);
    return shares ? (mayHold && grown.mayUseGrown(job)) || grown.mayUseLearned(job) : mayHold;
  }

  private WaitingClasses classes() {
    return table.eligible().byClass();
  }
}
