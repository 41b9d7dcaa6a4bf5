package io.github.liquidscheduler.scheduler.admit;

import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Synchronization;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.Sighting;
import io.github.liquidscheduler.scheduler.phase.JobPhase.Launching;
import io.github.liquidscheduler.scheduler.phase.JobPhase.Resizing;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.JobStatus.Outcome;
import io.github.liquidscheduler.scheduling.ResizeStep;
import io.github.liquidscheduler.scheduling.SizeSpeed;
import io.github.liquidscheduler.scheduling.StaleEventException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/*
 * Idea: an event of a job implies what the job is at that time, such as that it runs. What has
 * never been so is a mistake of the caller; what was so once has only come late.
 * Invariants: nothing changes; a job that has run may have finished, whatever it waits for now.
 * BadEventTest and JobStartedTest.
 * Cost: O(1), for a starting job O(jobs that it waits for).
 */
/** Rejects impossible events of jobs, and returns the jobs they are about. */
record JobChecks(JobTable table) {

  /** Rejects times out of range or order: a wrong clock would put all later events out of order. */
  void requireInOrder(ClusterEvent event) {
    if (event.at().isBefore(Instant.EPOCH) || event.at().isAfter(GpuTime.LATEST)) {
      throw new IllegalArgumentException(
          "events must come in the years 1970 to 2261, but %s came at %s"
              .formatted(event.getClass().getSimpleName(), event.at()));
    }
    if (event.at().isBefore(table.now())) {
      throw new IllegalArgumentException(
          "events must come in the order of their times, but %s at %s came after one at %s"
              .formatted(event.getClass().getSimpleName(), event.at(), table.now()));
    }
  }

  /** Rejects a job that is said to have been submitted before all time, or later than now. */
  static void requireSubmitted(ClusterEvent.JobSubmitted event) {
    event
        .spec()
        .submittedAt()
        .filter(at -> at.isBefore(Instant.EPOCH) || at.isAfter(event.at()))
        .ifPresent(
            at -> {
              throw new IllegalArgumentException(
                  "a job must have been submitted from 1970 on and by %s, when it is told, but was at %s, for job '%s'"
                      .formatted(event.at(), at, event.job()));
            });
  }

  /** Rejects a job that only another scheduler can run, or of a queue that is not there. */
  void requireSupported(JobSpec job) {
    if (job.synchronization() instanceof Synchronization.RelaxedRounds) {
      throw new IllegalArgumentException(
          "synchronization in relaxed rounds needs a PooledScheduler around this one, but there is none, for job '%s'"
              .formatted(job.id()));
    }
    table.queues().require(job);
  }

  void requireNew(JobId job) {
    Optional<String> state = state(job);
    if (state.isPresent()) {
      throw new IllegalArgumentException(
          "a submitted job must have a new id, but job '%s' %s".formatted(job, state.get()));
    }
  }

  /** Returns a job that runs by the time of an event. */
  JobEntry running(JobId job, Instant at, String verb) {
    @Nullable JobEntry entry = table.find(job);
    if (entry == null || !entry.isRunning() || !table.stopping().hasBegunBy(entry, at)) {
      throw refused("running", job, verb);
    }
    return entry;
  }

  /** Returns a job that is launching by the time of an event. */
  JobEntry launching(JobId job, Instant at) {
    if (!table.awaitsStarts()) {
      throw new IllegalArgumentException(
          "starts must be reported only to a scheduler that is built with startsReported(), but that of job '%s' was"
              .formatted(job));
    }
    @Nullable JobEntry entry = table.find(job);
    boolean mayBegin = entry != null && entry.isRunning() && !entry.hasBegun();
    if (entry == null || !mayBegin || !table.stopping().hasBegunBy(entry, at)) {
      throw refused("launching", job, "begin");
    }
    return entry;
  }

  /** Returns a job that may have done its work: it runs, or has run, whatever it waits for now. */
  JobEntry finishing(JobId job, Instant at) {
    @Nullable JobEntry entry = table.find(job);
    return entry != null && entry.history().hasRun() ? entry : running(job, at, "finish");
  }

  /** Returns a job whose start or run may fail. */
  JobEntry failing(JobId job, String verb) {
    @Nullable JobEntry entry = table.find(job);
    boolean mayFail = entry != null && (entry.isRunning() || entry.isStopping());
    if (entry == null || !mayFail) {
      throw refused("running", job, verb);
    }
    return entry;
  }

  JobEntry stopping(JobId job, String verb) {
    @Nullable JobEntry entry = table.find(job);
    if (entry == null || !entry.isStopping()) {
      throw refused("stopping", job, verb);
    }
    return entry;
  }

  /** Returns a job that reports on its last size change. */
  JobEntry resizing(ClusterEvent.ResizeReported event) {
    JobEntry job = running(event.job(), event.at(), "report a resize");
    if (event.number() > job.history().resizes()) {
      throw new IllegalArgumentException(
          "a resize that is reported must have been decided, but %d were, and number %d is reported, for job '%s'"
              .formatted(job.history().resizes(), event.number(), event.job()));
    }
    Optional<Resizing> change = job.resizing();
    if (event.number() < job.history().resizes() || change.isEmpty()) {
      throw new StaleEventException(
          event.job(),
          "only the last resize of a job that is under way can be reported, but of %d the one reported is number %d, for job '%s'"
              .formatted(job.history().resizes(), event.number(), event.job()));
    }
    boolean mayStay = event.step() == ResizeStep.FAILED || event.step() == ResizeStep.TIMED_OUT;
    if (mayStay && change.get().leaving().isPresent()) {
      throw new IllegalArgumentException(
          "a job that gets smaller must leave, as its GPUs may be promised to others, but reports %s, for job '%s'. Stop it, and report that it failed"
              .formatted(event.step(), event.job()));
    }
    return job;
  }

  /** Returns a job that was asked to measure its speed. */
  JobEntry profiling(ClusterEvent.JobProfiled event) {
    JobEntry job = running(event.job(), event.at(), "report a profile");
    if (!job.isProfiling()) {
      throw new StaleEventException(
          event.job(),
          "only a job that was asked how fast it is can tell, but job '%s' was not"
              .formatted(event.job()));
    }
    for (SizeSpeed speed : event.speeds()) {
      if (!job.job().parallelism().allowedSizes().contains(speed.tasks())) {
        throw new IllegalArgumentException(
            "a profile must be of sizes that are allowed, %s, but is of %d, for job '%s'"
                .formatted(job.job().parallelism().allowedSizes(), speed.tasks(), event.job()));
      }
    }
    return job;
  }

  /** Returns a waiting or running job that is updated; what a running one holds stays. */
  JobEntry updated(JobSpec said) {
    JobEntry entry = live(said.id(), "be updated");
    // What is promised to a job with a deadline changes its roles; a foreign one has one size.
    boolean keepsRoles =
        entry.job().deadline().isPresent()
            || entry.history().sighting() == Sighting.FOREIGN
            || said.roles().equals(entry.job().roles());
    if (entry.isRunning() && !keepsRoles) {
      throw new IllegalArgumentException(
          "an update of a running job must leave what its tasks request, but job '%s' has %s, and was to have %s"
              .formatted(said.id(), entry.job().roles(), said.roles()));
    }
    return entry;
  }

  /** Returns a job that is held, waiting or running. */
  JobEntry held(JobId job) {
    JobEntry entry = live(job, "be released");
    if (entry.history().hold().isEmpty()) {
      throw wrong("held", job, "be released");
    }
    return entry;
  }

  /** Returns true if the job was rejected, as far as is remembered. */
  boolean wasRejected(JobId job) {
    return table.find(job) == null
        && table.ended().ending(job).filter(Outcome.REJECTED::equals).isPresent();
  }

  JobEntry live(JobId job, String verb) {
    @Nullable JobEntry entry = table.find(job);
    if (entry == null) {
      throw refused("waiting or running", job, verb);
    }
    return entry;
  }

  /**
   * Returns true if the job may have run, as far as is remembered: it ran and waits, or has ended.
   */
  private boolean hasRun(JobId job) {
    @Nullable JobEntry entry = table.find(job);
    return entry == null
        ? table.ended().ending(job).filter(how -> how != Outcome.REJECTED).isPresent()
        : entry.hasBegun() || entry.history().hasRun();
  }

  private IllegalArgumentException refused(String states, JobId job, String verb) {
    return hasRun(job)
        ? new StaleEventException(job, message(states, job, verb))
        : wrong(states, job, verb);
  }

  private IllegalArgumentException wrong(String states, JobId job, String verb) {
    return new IllegalArgumentException(message(states, job, verb));
  }

  private String message(String states, JobId job, String verb) {
    String state =
        state(job).orElse("is not known: it was never submitted, or is over and forgotten");
    return "only a %s job can %s, but job '%s' %s".formatted(states, verb, job, state);
  }

  private Optional<String> state(JobId job) {
    @Nullable JobEntry entry = table.find(job);
    return entry == null
        ? table.ended().ending(job).map(how -> "is over (" + how + ")")
        : Optional.of(
            entry.isStarting()
                ? "waits for " + entry.phase().after() + " to leave"
                : entry.phase() instanceof Launching
                    ? "is launching"
                    : entry.isRunning() ? "runs" : "waits");
  }
}
