package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.PlacementClass;
import io.github.liquidscheduler.scheduling.JobStatus.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The transitions of waiting jobs: submission, updates, delays and parking. */
public record WaitingTransitions(
    JobTable table,
    JobIndexes indexes,
    JobQueues queues,
    Savepoints savepoints,
    PhaseChanges phases) {

  /** Adds a new waiting job. Its id must be free. */
  public void submit(JobSpec job, PlacementClass placementClass) {
    savepoints.saveAbsence(job.id());
    Instant since = job.submittedAt().orElse(table.now());
    JobEntry entry = new JobEntry(job, placementClass, table.countSubmission(), since);
    table.add(entry);
    entry.enter(queues.queueOf(job));
    phases.arrive(entry);
  }

  /**
   * Replaces a waiting job's specification, which ends its delay; it counts as newly arrived. A
   * stopping job goes on holding its GPUs.
   */
  public void update(JobEntry entry, JobSpec job) {
    savepoints.saveBefore(entry);
    phases.letOthersPass(entry);
    indexes.dequeue(entry);
    phases.at(entry).endDelay();
    table.batched().remove(entry);
    queues.forgetIfEmpty(entry.queue());
    if (!job.queue().equals(entry.job().queue())) {
      phases.at(entry).noteRanIn(entry.job().queue());
    }
    phases.at(entry).update(job);
    entry.enter(queues.queueOf(job));
    phases.arrive(entry);
  }

  /** Ends a job that was rejected on arrival. */
  public void reject(JobId job) {
    table.countSubmission();
    table.ended().add(job, Outcome.REJECTED);
  }

  /** Ends the delay of a waiting job. */
  public void endDelay(JobEntry job) {
    savepoints.saveBefore(job);
    indexes.dequeue(job);
    phases.at(job).endDelay();
    phases.arrive(job);
  }

  /** Adds to the number of jobs that have bypassed a waiting one. */
  public void countBypass(JobEntry job, int jobs) {
    savepoints.saveBefore(job);
    job.own().countBypass(jobs);
  }

  /** Delays a waiting job for a time. */
  public void delay(JobEntry job, Duration time) {
    if (time.isZero()) {
      return;
    }
    requeue(
        job,
        () -> {
          table.batched().remove(job);
          phases.at(job).delayUntil(phases.after(time));
        });
  }

  /** Holds a waiting job until its promised share begins, in a time that may be zero. */
  public void hold(JobEntry job, Duration time) {
    if (time.isZero() && job.delayedUntil() == null) {
      return;
    }
    savepoints.saveBefore(job);
    indexes.dequeue(job);
    phases.at(job).holdUntil(time.isZero() ? Optional.empty() : Optional.of(phases.after(time)));
    if (job.delayedUntil() == null) {
      phases.arrive(job);
    } else {
      table.batched().remove(job);
      indexes.enqueue(job);
    }
  }

  /** Holds a job for its user, or for another reason than before. One that runs goes on. */
  public void holdBack(JobEntry job, String why) {
    savepoints.saveBefore(job);
    if (job.isRunning()) {
      job.own().holdFor(why);
      return;
    }
    phases.letOthersPass(job);
    indexes.dequeue(job);
    table.batched().remove(job);
    phases.at(job).holdUntil(Optional.empty());
    job.own().holdFor(why);
    indexes.enqueue(job);
  }

  /** Holds a job no longer; one that waits for nothing else counts as newly arrived. */
  public void release(JobEntry job) {
    savepoints.saveBefore(job);
    if (!job.isHeld()) {
      job.own().holdFor(null);
      return;
    }
    indexes.dequeue(job);
    job.own().holdFor(null);
    if (job.phase().notBefore().filter(at -> !at.isAfter(table.now())).isPresent()) {
      phases.at(job).endDelay();
    }
    phases.arrive(job);
  }

  /** Excludes nodes for a waiting job. */
  public void exclude(JobEntry job, JobSpec elsewhere) {
    requeue(job, () -> job.become(elsewhere));
  }

  /** Changes a job, while no ordered collection holds it, and keeps its rank. */
  private void requeue(JobEntry job, Runnable change) {
    savepoints.saveBefore(job);
    indexes.dequeue(job);
    change.run();
    indexes.enqueue(job);
  }

  /** Makes a parked job eligible. */
  public void makeEligible(JobEntry job) {
    requeue(job, () -> table.batched().remove(job));
    table.agenda().arrive(job);
  }

  /** Parks a waiting job until it is made eligible. */
  public void park(JobEntry job, BatchedJobs.Membership stage) {
    requeue(job, () -> table.batched().put(job, stage));
  }

  /** Changes the reason for which a job is parked. */
  public void changeStage(JobEntry job, BatchedJobs.Membership stage) {
    savepoints.saveBefore(job);
    table.batched().put(job, stage);
  }
}
