package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.eviction.NodeSet;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.JobTransition;
import io.github.liquidscheduler.scheduler.job.PlacementClass;
import io.github.liquidscheduler.scheduler.job.Sighting;
import io.github.liquidscheduler.scheduler.phase.JobPhase;
import io.github.liquidscheduler.scheduler.phase.ResizedTasks;
import io.github.liquidscheduler.scheduling.JobStatus.Outcome;
import io.github.liquidscheduler.scheduling.SizeSpeed;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntToDoubleFunction;
import java.util.function.Predicate;

/*
 * Idea: each transition takes the job out of its orders and indexes, changes the cluster and the
 * phase, and puts it back. Capacity that a job gives up counts as free at once; who gets it waits
 * until it is left.
 * Invariants: what is promised is applied to the cluster; a job that waits for others names them
 * all, those who hold quota included. StoppingLaws and HeldCapacityLaws.
 * Cost: O(log jobs + tasks + jobs on its nodes + depth of the queue tree). EventBench.
 */
/** The transitions of running jobs: starts, moves and changes of size, and the ends of runs. */
public record RunTransitions(
    JobTable table,
    JobIndexes indexes,
    JobQueues queues,
    Savepoints savepoints,
    PhaseChanges phases) {

  /**
   * Starts a waiting job and places it in the cluster. It is starting while others still hold
   * something of its placement, and runs once the last of them has left.
   *
   * @throws IllegalStateException if the placement does not fit
   */
  public void start(JobEntry job, Placement placement) {
    savepoints.saveBefore(job);
    indexes.dequeue(job);
    table.batched().remove(job);
    table.cluster().apply(job.job(), placement);
    List<JobId> onDevices = table.stopping().blocking(placement, table.cluster());
    List<JobId> after =
        table
            .leavingQuota()
            .jobsToAwait(job, new JobPhase.Starting(placement, onDevices, table.now()), onDevices);
    phases.change(
        job,
        step -> {
          if (!after.isEmpty()) {
            step.startAfter(after, placement, table.stopping().leftBy(after, table.now()));
          } else if (table.awaitsStarts()) {
            step.launch(placement);
          } else {
            step.start(placement);
          }
        });
    phases.notePace(job);
    indexes.addRunning(job);
    indexes.enter(job);
  }

  /**
   * Notes that a job was seen to run: one of this id, whatever it does, or a new one.
   *
   * @param job the job as it is from now on
   * @param placement where it runs, whatever else is held there
   * @param since when its run began, unless it was known to run
   * @param how whether it is one like any other
   */
  public void see(JobSpec job, Placement placement, Instant since, Sighting how) {
    JobEntry entry = Optional.ofNullable(table.find(job.id())).orElseGet(() -> added(job, since));
    if (entry.isOrdered()) {
      takeOut(entry);
      if (!job.queue().equals(entry.job().queue())) {
        phases.at(entry).noteRanIn(entry.job().queue());
      }
    }
    entry.become(job);
    entry.enter(queues.queueOf(job));
    table.cluster().applyHeld(job, placement);
    phases.change(entry, step -> step.see(placement, since, how));
    phases.notePace(entry);
    indexes.addRunning(entry);
    indexes.enter(entry);
  }

  private JobEntry added(JobSpec job, Instant since) {
    savepoints.saveAbsence(job.id());
    Instant submitted = job.submittedAt().filter(since::isAfter).orElse(since);
    JobEntry added = new JobEntry(job, new PlacementClass(job), table.countSubmission(), submitted);
    table.add(added);
    return added;
  }

  /** Takes a job out of all that holds it, as if it were new. */
  private void takeOut(JobEntry job) {
    savepoints.saveBefore(job);
    if (job.isRunning()) {
      release(job);
      indexes.removeRunning(job);
    } else {
      phases.letOthersPass(job);
    }
    indexes.dequeue(job);
    table.batched().remove(job);
    queues.forgetIfEmpty(job.queue());
  }

  /** Notes that a job has run since a time, if it was launching. */
  public void begin(JobEntry job, Instant since) {
    if (job.phase() instanceof JobPhase.Launching) {
      phases.begin(job, since);
    }
  }

  /**
   * Pre-empts a running job. Its capacity counts as free at once; with a grace period the job is
   * not tried before that ends or it has {@linkplain #stopped stopped}. A starting job only waits
   * again.
   */
  public void preempt(JobEntry job) {
    if (job.isStarting() || table.preemption().gracePeriod().isZero()) {
      evict(job);
      return;
    }
    leave(job);
    job.own().countPreemption();
    phases.change(job, step -> step.stopBy(phases.after(table.preemption().gracePeriod())));
    phases.arrive(job);
  }

  /**
   * Pre-empts a running job without a grace period. The start of a starting job is taken back,
   * which counts neither as a pre-emption nor as a run.
   */
  public void evict(JobEntry job) {
    leave(job);
    boolean wasThere = !job.isStarting();
    if (wasThere) {
      job.own().countPreemption();
    }
    phases.change(job, step -> step.stop(wasThere));
    phases.arrive(job);
  }

  /** Notes that a pre-empted job has stopped; it may be tried again, unless it is delayed. */
  public void stopped(JobEntry job) {
    savepoints.saveBefore(job);
    indexes.dequeue(job);
    phases.change(job, JobTransition::stopped);
    phases.arrive(job);
  }

  /** Notes that tasks have stopped that a job was leaving; one that has left wholly has stopped. */
  public void lose(JobEntry job, Predicate<TaskPlacement> gone) {
    List<TaskPlacement> tasks = job.phase().leaving().map(Placement::tasks).orElse(List.of());
    if (tasks.stream().noneMatch(gone)) {
      return;
    }
    if (job.isStopping() && tasks.stream().allMatch(gone)) {
      stopped(job);
    } else {
      phases.reconsider(
          job, phases.lastRank(job), () -> phases.change(job, step -> step.stopLeaving(gone)));
    }
  }

  /**
   * Stops a running job that failed; it waits again.
   *
   * @param hasRun whether the run counts
   * @param reset a longer run begins a new row of failures
   */
  public void fail(JobEntry job, boolean hasRun, Duration reset) {
    savepoints.saveBefore(job);
    Duration run = hasRun ? Duration.between(job.since(), table.now()) : Duration.ZERO;
    job.own().countFailure(run, reset);
    leave(job);
    phases.change(job, step -> step.stop(hasRun));
    phases.arrive(job);
  }

  private void leave(JobEntry job) {
    savepoints.saveBefore(job);
    release(job);
    indexes.dequeue(job);
    indexes.removeRunning(job);
  }

  private void release(JobEntry job) {
    Placement placement = job.placement().orElseThrow();
    table.agenda().growFrom(lowestToGainBy(job), placement, table.cluster().topology());
    table.cluster().release(job.id());
  }

  /** Returns the lowest rank for which the end of a running job releases capacity. */
  private long lowestToGainBy(JobEntry job) {
    boolean wasThere =
        table.ranksAloneDecide()
            && table.running().mayBePreempted(job)
            && !job.isPlacedAt(table.now());
    return wasThere ? phases.lastRank(job) : Long.MIN_VALUE;
  }

  /**
   * Moves a running job to another placement, once those who still hold something of it have left.
   */
  public void move(JobEntry job, Placement placement) {
    savepoints.saveBefore(job);
    Placement before = job.phase().held().orElseThrow();
    release(job);
    indexes.dequeue(job);
    indexes.removeRunning(job);
    if (placement.equals(before)) {
      table.cluster().applyAgain(job.job(), placement);
    } else {
      table.cluster().apply(job.job(), placement);
    }
    List<JobId> onDevices =
        JobPhase.Moving.of(before, placement, List.of())
            .added()
            .map(more -> table.stopping().blocking(more, table.cluster()))
            .orElse(List.of());
    List<JobId> after =
        table
            .leavingQuota()
            .jobsToAwait(job, JobPhase.Moving.of(before, placement, onDevices), onDevices);
    job.own().place(table.now());
    phases.change(job, step -> step.move(placement, after));
    if (after.isEmpty()) {
      phases.notePace(job);
    }
    indexes.addRunning(job);
    indexes.enter(job);
  }

  /**
   * Starts a size change of a running job. Released capacity counts as free at once, as that of a
   * job that is stopping.
   */
  public void resize(JobEntry job, Placement to) {
    boolean grows = to.tasks().size() > job.placement().orElseThrow().tasks().size();
    replace(
        job,
        to,
        step -> {
          step.resize(to, holdingMore(job, to));
          if (grows) {
            job.own().place(table.now());
          }
        });
    job.phase()
        .leaving()
        .ifPresent(
            left ->
                table
                    .agenda()
                    .growFrom(Long.MIN_VALUE, new NodeSet(left, table.cluster().topology())));
  }

  /** Returns the jobs that still hold something of the tasks that a job gets, or their quota. */
  private List<JobId> holdingMore(JobEntry job, Placement to) {
    Placement from = job.placement().orElseThrow();
    List<JobId> onDevices =
        ResizedTasks.leaving(to, Optional.empty(), from)
            .map(more -> table.stopping().blocking(more, table.cluster()))
            .orElse(List.of());
    JobPhase next =
        job.phase() instanceof JobPhase.Resizing change
            ? change.redirected(to, onDevices)
            : JobPhase.Resizing.of(from, to, onDevices);
    return table.leavingQuota().jobsToAwait(job, next, onDevices);
  }

  /** Notes that a job's switch to its new size is imminent and final. */
  public void readyToResize(JobEntry job) {
    savepoints.saveBefore(job);
    phases.at(job).readyToResize();
  }

  /** Notes that a job has switched to its new size. */
  public void resized(JobEntry job) {
    Placement at = job.placement().orElseThrow();
    replace(job, at, step -> step.endResize(at));
  }

  /** Notes that a job failed to grow and continues at its size. */
  public void resizeFailed(JobEntry job) {
    Placement before = job.resizing().orElseThrow().running();
    NodeSet held = job.nodes(table.cluster().topology());
    replace(job, before, step -> step.endResize(before));
    table.agenda().growFrom(Long.MIN_VALUE, held);
  }

  private void replace(JobEntry job, Placement to, Consumer<JobTransition> step) {
    savepoints.saveBefore(job);
    indexes.dequeue(job);
    indexes.removeRunning(job);
    table.cluster().resize(job.job(), to);
    phases.change(job, step);
    indexes.addRunning(job);
    indexes.enter(job);
  }

  /** Gives a running job another queue, priority and expected work; it goes on where it is. */
  public void update(JobEntry job, JobSpec said) {
    JobSpec.Builder next =
        job.job().toBuilder().queue(said.queue().value()).priority(said.priority());
    JobSpec updated = next.expectedWork(said.expectedWork()).build();
    savepoints.saveBefore(job);
    indexes.dequeue(job);
    indexes.removeRunning(job);
    queues.forgetIfEmpty(job.queue());
    table.cluster().resize(updated, job.placement().orElseThrow());
    job.become(updated);
    job.enter(queues.queueOf(updated));
    indexes.addRunning(job);
    indexes.enter(job);
    phases.growWhereItRuns(job);
    table.agenda().relearn();
  }

  /** Starts a measurement of a running job, during which it keeps its size. */
  public void profile(JobEntry job) {
    savepoints.saveBefore(job);
    phases.at(job).beginProfile();
  }

  /** Ends a measurement. */
  public void profiled(JobEntry job, List<SizeSpeed> speeds) {
    savepoints.saveBefore(job);
    phases.at(job).endProfile(speeds);
    phases.growWhereItRuns(job);
  }

  /**
   * Updates the deviation of a running job's reported speed from the measured one.
   *
   * @param most the largest accepted deviation
   * @param expected the prior speed at each size
   */
  public void watchSpeed(
      JobEntry job, double iterationsPerSecond, double most, IntToDoubleFunction expected) {
    savepoints.saveBefore(job);
    job.own().drift(job.history().drift().after(job.size(), iterationsPerSecond, most, expected));
  }

  /** Ends a waiting or running job. */
  public void end(JobEntry job, Outcome how) {
    if (job.isRunning()) {
      savepoints.saveEnding(job);
      release(job);
      indexes.removeRunning(job);
      indexes.dequeue(job);
    } else {
      savepoints.saveBefore(job);
      phases.letOthersPass(job);
      indexes.dequeue(job);
    }
    table.stopping().remove(job);
    table.batched().remove(job);
    queues.forgetIfEmpty(job.queue());
    table.remove(job);
    table.ended().add(job.id(), how);
    if (job.phase().leaving().isPresent()) {
      phases.left(job.id());
    }
  }
}
