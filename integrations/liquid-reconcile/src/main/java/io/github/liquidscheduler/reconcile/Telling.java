package io.github.liquidscheduler.reconcile;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.reconcile.Differences.Kind;
import io.github.liquidscheduler.reconcile.ObservedRequest.Understood;
import io.github.liquidscheduler.reconcile.ObservedState.Outcome;
import io.github.liquidscheduler.reconcile.ObservedState.Running;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.ClusterEvent.JobAdopted;
import io.github.liquidscheduler.scheduling.ClusterEvent.JobCancelled;
import io.github.liquidscheduler.scheduling.ClusterEvent.JobFailed;
import io.github.liquidscheduler.scheduling.ClusterEvent.JobFinished;
import io.github.liquidscheduler.scheduling.ClusterEvent.JobHeld;
import io.github.liquidscheduler.scheduling.ClusterEvent.JobReleased;
import io.github.liquidscheduler.scheduling.ClusterEvent.JobStarted;
import io.github.liquidscheduler.scheduling.ClusterEvent.JobStopped;
import io.github.liquidscheduler.scheduling.ClusterEvent.JobSubmitted;
import io.github.liquidscheduler.scheduling.ClusterEvent.JobUpdated;
import io.github.liquidscheduler.scheduling.Failure;
import io.github.liquidscheduler.scheduling.JobStatus;
import io.github.liquidscheduler.scheduling.Retry;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What cells of the table tell the scheduler, and note before that. */
final class Telling {
  private final Sight sight;
  private final Scheduler scheduler;
  private final Differences found;

  Telling(Sight sight, Scheduler scheduler, Differences found) {
    this.sight = sight;
    this.scheduler = scheduler;
    this.found = found;
  }

  void submit(SeenJob job, JobId name, JobSpec spec) {
    if (scheduler.status(name).isEmpty()) {
      found.note(job.note().named(name).of(job.seen()));
      found.tell(
          Kind.SUBMISSION, now -> new JobSubmitted(now, submittedBy(now, spec.withId(name))));
    }
  }

  void started(SeenJob job) {
    found.tell(Kind.UPDATE, now -> new JobStarted(now, job.own()));
  }

  void stopped(SeenJob job) {
    found.tell(Kind.END, now -> new JobStopped(now, job.own()));
  }

  /** Tells of a job that runs and was not started here, or not there. */
  void adopt(SeenJob job, JobId name) {
    Optional<Differences.Told> event = adoption(job.seen(), name);
    if (event.isPresent()
        && scheduler.status(name).filter(JobStatus.Ended.class::isInstance).isEmpty()) {
      found.note(
          job.note()
              .named(name)
              .of(job.seen())
              .begins(
                  new JobNote.Began(job.seen().attempt(), job.seen().on(), sight.seen().epoch())));
      found.tell(Kind.ADOPTION, event.get());
    }
  }

  void update(SeenJob job) {
    if (scheduler.held(job.own()).isPresent()) {
      found.tell(Kind.UPDATE, now -> new JobReleased(now, job.own()));
    }
    if (job.status() instanceof JobStatus.Waiting
        && job.seen().request() instanceof Understood request) {
      JobSpec known = scheduler.job(job.own()).orElseThrow();
      JobSpec.Builder as = request.spec().withId(job.own()).toBuilder();
      known.submittedAt().ifPresent(as::submittedAt);
      JobSpec wanted = as.build();
      // A start that failed excludes nodes, and an update would let it fail there again.
      JobSpec avoiding = as.excludeNodes(known.excludedNodes()).build();
      if (!avoiding.equals(known) && job.refusal(sight).isEmpty()) {
        found.tell(Kind.UPDATE, now -> new JobUpdated(now, wanted));
      }
    }
  }

  /** Of a job that runs, only what does not change what it has. */
  void updateRunning(SeenJob job) {
    if (job.seen().request() instanceof Understood request) {
      JobSpec known = scheduler.job(job.own()).orElseThrow();
      JobSpec asked = request.spec();
      JobSpec.Builder as =
          known.toBuilder().queue(asked.queue().value()).priority(asked.priority());
      asked.expectedWork().ifPresent(as::expectedWork);
      JobSpec wanted = as.build();
      if (!wanted.equals(known) && job.refusal(sight).isEmpty()) {
        found.tell(Kind.UPDATE, now -> new JobUpdated(now, wanted));
      }
    }
  }

  void holdBack(SeenJob job, String why) {
    JobHeld held = new JobHeld(sight.now(), job.own(), why);
    if (!scheduler.held(job.own()).equals(Optional.of(held.why()))) {
      found.tell(Kind.END, now -> new JobHeld(now, job.own(), held.why()));
    }
  }

  void begins(SeenJob job, List<NodeId> on) {
    JobNote.Began began = new JobNote.Began(job.seen().attempt(), on, sight.seen().epoch());
    boolean isNoted =
        job.note().began().filter(at -> at.attempt() == began.attempt() && at.isOn(on)).isPresent();
    if (!isNoted) {
      found.note(job.note().begins(began));
    }
  }

  void fail(SeenJob job, Failure failure, Retry retry) {
    found.tell(Kind.END, now -> new JobFailed(now, job.own(), failure, retry));
  }

  /** The manager may show the end of an attempt before the last one, which it has forgotten. */
  void end(SeenJob job, Outcome how) {
    int attempt = Math.max(job.seen().attempt(), job.note().lastAttempt());
    JobNote.Ended ended = new JobNote.Ended(attempt, how);
    found.note(job.note().ends(ended));
    found.tell(Kind.END, now -> ended(now, job.own(), how));
  }

  /** Tells the end of a job whose id another one has. */
  void replaced(JobId own) {
    boolean isRunning =
        scheduler.status(own).filter(JobStatus.Running.class::isInstance).isPresent();
    found.tell(
        Kind.END,
        now -> isRunning ? failed(now, own, Failure.CRASHED) : new JobCancelled(now, own));
  }

  /** Tells the end of a job that is not shown any more. */
  void gone(JobId own, JobNote note) {
    switch (scheduler.status(own).orElse(null)) {
      case JobStatus.Launching at ->
          gone(note, Outcome.FAILED, now -> failed(now, own, Failure.NOT_STARTED));
      case JobStatus.Running at -> gone(note, Outcome.FINISHED, now -> new JobFinished(now, own));
      case null, default -> found.tell(Kind.END, now -> new JobCancelled(now, own));
    }
  }

  private void gone(JobNote note, Outcome how, Differences.Told event) {
    found.note(note.ends(new JobNote.Ended(note.lastAttempt(), how)));
    found.tell(Kind.END, event);
  }

  private static ClusterEvent ended(Instant now, JobId job, Outcome how) {
    return switch (how) {
      case FINISHED -> new JobFinished(now, job);
      case FAILED -> failed(now, job, Failure.CRASHED);
      case OUT_OF_MEMORY -> failed(now, job, Failure.OUT_OF_MEMORY);
      case CANCELLED -> new JobCancelled(now, job);
    };
  }

  private static JobFailed failed(Instant now, JobId job, Failure why) {
    return new JobFailed(now, job, why, Retry.no());
  }

  /** Returns the event that tells of a job; empty if it is not known what it holds. */
  private static Optional<Differences.Told> adoption(ObservedJob job, JobId name) {
    if (!(job.request() instanceof Understood(JobSpec asked, List<String> ignored))
        || job.on().size() != asked.tasks()) {
      return Optional.empty();
    }
    return Optional.of(
        now -> {
          Instant since =
              job.state() instanceof Running(Instant begun) && begun.isBefore(now) ? begun : now;
          JobSpec spec = submittedBy(now, asked.withId(name));
          return new JobAdopted(now, spec, job.on(), since, job.isOwned());
        });
  }

  /** The manager's clock may be ahead. */
  private static JobSpec submittedBy(Instant now, JobSpec spec) {
    return spec.submittedAt().filter(now::isBefore).isPresent()
        ? spec.toBuilder().submittedAt(now).build()
        : spec;
  }
}
