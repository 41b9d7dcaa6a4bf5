package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.JobTransition;
import io.github.liquidscheduler.scheduler.speed.GpuEquivalents;
import io.github.liquidscheduler.scheduler.speed.SeenSpeeds;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

/*
 * Idea: each transition changes one job between leaving its orders and entering them again; who
 * waits for what it was leaving goes on, and what its change releases is noted on the agenda.
 * Invariants: no order holds a job while its phase or rank changes; nobody waits for a job that has
 * left. SchedulerLaws and StoppingLaws.
 * Cost: O(log jobs + tasks), for a job that leaves also O(jobs that wait for it).
 */
/**
 * What every transition of a job does: its change of phase and rank, and what follows for others.
 */
record PhaseChanges(JobTable table, JobIndexes indexes, Savepoints savepoints) {

  /**
   * Changes the phase of a job that no collection holds, and with it what is leaving and who waits
   * for it.
   */
  void change(JobEntry job, Consumer<JobTransition> step) {
    boolean wasLeaving = job.phase().leaving().isPresent();
    table.stopping().remove(job);
    step.accept(at(job));
    table.stopping().add(job);
    if (wasLeaving && job.phase().leaving().isEmpty()) {
      left(job.id());
    }
  }

  /**
   * Lets go on who waits for a job that has left: of those that wait for nobody else, a start
   * begins or is launched, and a running job moves.
   */
  void left(JobId gone) {
    for (JobEntry job : table.stopping().awaiting()) {
      boolean isLast = job.phase().after().equals(List.of(gone));
      if (isLast && job.isStarting() && table.awaitsStarts()) {
        reconsider(job, lastRank(job), () -> change(job, JobTransition::launch));
      } else if (isLast && job.isStarting()) {
        begin(job, table.now());
      } else if (isLast && job.isMoving()) {
        arriveAfterMove(job);
      } else if (job.phase().after().contains(gone)) {
        savepoints.saveBefore(job);
        change(job, step -> step.stopAwaiting(gone));
      }
    }
  }

  /** Lets a starting job run since a time; it may change its size and move from now on. */
  void begin(JobEntry job, Instant since) {
    reconsider(job, lastRank(job), () -> change(job, step -> step.begin(since)));
    growWhereItRuns(job);
  }

  /** Lets a moving job be where it moves to. */
  private void arriveAfterMove(JobEntry job) {
    Placement to = job.placement().orElseThrow();
    reconsider(
        job,
        lastRank(job),
        () -> {
          change(job, step -> step.move(to, List.of()));
          notePace(job);
        });
    growWhereItRuns(job);
  }

  /** Sets the job's speed and GPU equivalents at its present placement. */
  void notePace(JobEntry job) {
    ClusterTopology topology = table.cluster().topology();
    Placement placement = job.placement().orElseThrow();
    at(job).countAs(GpuEquivalents.of(placement, topology));
    table
        .speeds()
        .ifPresent(
            speeds -> {
              SeenSpeeds seen = job.history().gpuSpeeds();
              double speed = speeds.at(job.job(), seen, placement, topology);
              at(job).runAt(speed, speed / speeds.mean(job.job(), seen, topology));
            });
  }

  /** Returns the present rank of a job, as last computed, on the scale of waiting jobs. */
  long lastRank(JobEntry job) {
    return table.ranking().last(job, table.now());
  }

  /** Ranks a job, of rank {@code before}, again after a change. */
  void reconsider(JobEntry job, long before) {
    reconsider(job, before, () -> {});
  }

  /** Changes a job, of rank {@code before}, while no collection holds it, and ranks it again. */
  void reconsider(JobEntry job, long before, Runnable change) {
    savepoints.saveBefore(job);
    indexes.dequeue(job);
    int level = job.policyState().level();
    change.run();
    indexes.enter(job);
    if (!job.isRunning()) {
      if (job.rank() != before) {
        tryNext(job);
      }
      return;
    }
    if (lastRank(job) != before) {
      table.quotas().reorder();
    }
    if (table.elastic().contains(job) && job.policyState().level() != level) {
      growWhereItRuns(job);
    } else if (mayBeStopped(job) && lastRank(job) > before) {
      table
          .agenda()
          .growFrom(
              table.ranksAloneDecide() ? before : Long.MIN_VALUE,
              job.nodes(table.cluster().topology()));
    }
  }

  /** Returns true if a running job may be stopped for others now, not only moved. */
  private boolean mayBeStopped(JobEntry job) {
    return (table.policy().preempts() || table.quotas().hasQueueTree())
        && table.running().mayBePreempted(job);
  }

  /**
   * Ranks a waiting job and notes that it may be tried, unless it is parked or delayed. Promised
   * jobs do not wait for a plan.
   */
  void arrive(JobEntry job) {
    if (table.isBatched() && job.delayedUntil() == null && !table.isPromised(job.job())) {
      table.batched().put(job, BatchedJobs.Membership.ENTERED);
    }
    indexes.enter(job);
    tryNext(job);
  }

  /** Notes that a waiting job may be tried, unless it waits for a plan or a time. */
  private void tryNext(JobEntry job) {
    if (!table.batched().contains(job) && job.delayedUntil() == null) {
      table.agenda().arrive(job);
    }
  }

  /** Notes that parked jobs no longer wait for one before them, where none bypasses another. */
  void letOthersPass(JobEntry leaving) {
    if (!table.batched().isEmpty() && blocksOthers(leaving)) {
      table.agenda().letOthersPass();
    }
  }

  private boolean blocksOthers(JobEntry job) {
    return table.hasOneHead()
        ? job.equals(table.waiting().first())
        : job.queue().isStrict() && job.equals(table.waiting().firstOf(job.queue()));
  }

  /** Notes that capacity has grown on the nodes of a running job. */
  void growWhereItRuns(JobEntry job) {
    table.agenda().growFrom(Long.MIN_VALUE, job.nodes(table.cluster().topology()));
  }

  /** Returns the time after a while; {@link Instant#MAX} if that is too long. */
  Instant after(Duration time) {
    return GpuTime.later(table.now(), time);
  }

  /** Returns the changes of a job at this time. */
  JobTransition at(JobEntry job) {
    return new JobTransition(job, table.now());
  }
}
