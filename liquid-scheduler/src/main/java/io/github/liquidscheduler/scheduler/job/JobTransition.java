package io.github.liquidscheduler.scheduler.job;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.scheduler.phase.JobPhase;
import io.github.liquidscheduler.scheduler.speed.GpuEquivalents;
import io.github.liquidscheduler.scheduling.Progress;
import io.github.liquidscheduler.scheduling.SizeSpeed;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/*
 * Idea: each change enters the next phase, of which JobPhase.then has the table, and notes in the
 * history what comes of it, so that the two never differ.
 * Invariants: no ordered collection holds the job meanwhile; time that counts is added to the
 * history before the pace or the size changes. JobEntryLaws.
 * Cost: O(1), for a change of placement O(tasks).
 */
/**
 * The changes of a job at an instant.
 *
 * @param job the job; changed
 */
public record JobTransition(JobEntry job, Instant now) {

  private void enter(JobPhase next) {
    job.setPhase(job.phase().then(next));
  }

  private JobHistory own() {
    return job.own();
  }

  private JobAtInstant before() {
    return job.at(now);
  }

  private Placement promised() {
    return Objects.requireNonNull(job.phase().promised());
  }

  /** Replaces the specification by order of the user. */
  public void update(JobSpec spec) {
    own().forgetFailures();
    job.become(spec);
  }

  /** Notes the queue that a stopping job ran in, before it enters another one. */
  public void noteRanIn(QueueName queue) {
    if (job.phase() instanceof JobPhase.Stopping stopping) {
      enter(stopping.ranIn(queue));
    }
  }

  /** Delays the retry of the waiting job until a time. */
  public void delayUntil(Instant until) {
    enter(job.phase().delayed(until));
  }

  /** Holds the job until its promised share; empty if that begins now. */
  public void holdUntil(Optional<Instant> share) {
    enter(job.phase().sharing(share));
  }

  /** Ends the delay of the waiting job and what holds it, but no grace period. */
  public void endDelay() {
    enter(job.phase().undelayed());
  }

  /** Starts the waiting job. */
  public void start(Placement placement) {
    enter(new JobPhase.Running(placement, false));
    own().start(now);
  }

  /**
   * Starts the waiting job, once the jobs of {@code after} have left, of which some do by a time.
   */
  public void startAfter(List<JobId> after, Placement placement, Instant by) {
    enter(new JobPhase.Starting(placement, after, by));
    own().start(now);
  }

  /** Starts the waiting job, which is reported once it has begun. */
  public void launch(Placement placement) {
    enter(new JobPhase.Launching(placement));
    own().start(now);
    own().noteLaunch();
  }

  /** Launches the starting job: those that it waited for have left. */
  public void launch() {
    enter(new JobPhase.Launching(promised()));
    own().begin(now);
    own().noteLaunch();
  }

  /** Notes that the starting job, for which others have left, has run since a time. */
  public void begin(Instant since) {
    enter(new JobPhase.Running(promised(), false));
    own().begin(since);
  }

  /**
   * Notes that the job was seen to run at a placement, whatever it was before.
   *
   * @param since when its run began, unless it was known to run
   */
  public void see(Placement placement, Instant since, Sighting how) {
    boolean hadBegun = job.hasBegun();
    enter(new JobPhase.Running(placement, false));
    if (hadBegun) {
      own().place(now);
    } else {
      Instant begun = since.isBefore(job.since()) ? job.since() : since;
      own().start(now);
      own().begin(begun);
    }
    own().see(how);
  }

  /** Notes that a job that it waits for has left. */
  public void stopAwaiting(JobId gone) {
    enter(job.phase().without(gone));
  }

  /** Notes that tasks which the job is leaving have stopped, but not all of a stopping one. */
  public void stopLeaving(Predicate<TaskPlacement> gone) {
    if (job.isRunning()) {
      own().resize(now, before());
    }
    enter(job.phase().withoutLeaving(gone));
  }

  /**
   * Notes a move of the running job to as many other GPUs, once the jobs of {@code after} have
   * left.
   */
  public void move(Placement placement, List<JobId> after) {
    if (!job.hasBegun()) {
      throw new IllegalStateException(
          "a job that has not begun cannot be moved, but '%s' was".formatted(job.id()));
    }
    enter(
        after.isEmpty()
            ? new JobPhase.Running(placement, job.isProfiling())
            : JobPhase.Moving.of(job.phase().held().orElseThrow(), placement, after));
  }

  /** Starts a size change of the running job; its new tasks wait for the jobs of {@code after}. */
  public void resize(Placement to, List<JobId> after) {
    own().resize(now, before());
    own().countResize();
    enter(
        job.phase() instanceof JobPhase.Resizing change
            ? change.redirected(to, after)
            : JobPhase.Resizing.of(promised(), to, after));
  }

  /** Notes that the switch to the new size is imminent. */
  public void readyToResize() {
    enter(job.resizing().orElseThrow().atSwitch());
  }

  /**
   * Ends a size change.
   *
   * @param to the placement from now on
   */
  public void endResize(Placement to) {
    Optional<Duration> left = before().remaining();
    double speed = speedAtSize();
    own().resize(now, before());
    enter(new JobPhase.Running(to, false));
    own().endResize(now, left, speedAtSize() / speed);
  }

  private double speedAtSize() {
    return job.history().speeds().at(job.size(), size -> size);
  }

  /** Starts a measurement of the running job. */
  public void beginProfile() {
    enter(new JobPhase.Running(promised(), true));
    own().noteProfile(now);
  }

  /** Ends a measurement; without speeds if it failed. */
  public void endProfile(List<SizeSpeed> speeds) {
    enter(new JobPhase.Running(promised(), false));
    if (!speeds.isEmpty()) {
      own().measure(speeds);
    }
  }

  /** Applies a report of progress. */
  public void progress(Progress progress) {
    progress
        .remaining()
        .or(() -> timeLeft(progress))
        .ifPresent(left -> own().report(job.speed().pace(job).onFastestGpus(left), now));
    if (job.phase() instanceof JobPhase.Running running
        && !running.profiling()
        && job.job().parallelism().isElastic()
        && progress.iterationsPerSecond() > 0) {
      own().observe(job.size(), progress.iterationsPerSecond());
    }
  }

  private Optional<Duration> timeLeft(Progress progress) {
    Optional<ExpectedWork> work = job.job().expectedWork();
    if (work.isEmpty()
        || work.get().iterations().isEmpty()
        || !(progress.iterationsPerSecond() > 0)) {
      return Optional.empty();
    }
    double left = Math.max(0, work.get().iterations().getAsLong() - progress.iterations());
    double seconds = left / progress.iterationsPerSecond();
    return Optional.of(
        seconds < 1e9
            ? Duration.ofNanos(Math.round(seconds * 1e9))
            : Duration.ofSeconds((long) Math.min(seconds, 1e18)));
  }

  /**
   * Sets the speeds of the running job from now on.
   *
   * @param gpu relative to its fastest GPUs
   * @param fleet relative to its mean over all allowed GPUs
   */
  public void runAt(double gpu, double fleet) {
    RunSpeed speed = job.speed();
    if (gpu != speed.gpu() || fleet != speed.fleet()) {
      if (now.isAfter(job.since())) {
        own().changePace(now, before());
      }
      job.setSpeed(new RunSpeed(gpu, fleet, speed.withoutGpus()));
    }
  }

  /** Sets the GPU equivalents of the running job from now on. */
  public void countAs(GpuEquivalents held) {
    RunSpeed speed = job.speed();
    if (!held.equals(speed.withoutGpus())) {
      if (now.isAfter(job.since())) {
        own().resize(now, before());
      }
      job.setSpeed(new RunSpeed(speed.gpu(), speed.fleet(), held));
    }
  }

  /** Notes a stop; {@code hasRun} tells whether the run counts. */
  public void stop(boolean hasRun) {
    stop(hasRun, JobPhase.Waiting.AT_ONCE);
  }

  /** Notes a pre-emption of the running job, which holds its tasks until they have stopped. */
  public void stopBy(Instant until) {
    stop(true, new JobPhase.Stopping(job.phase().held().orElseThrow(), until, Optional.empty()));
  }

  private void stop(boolean hasRun, JobPhase next) {
    own().stop(now, hasRun ? before() : null);
    enter(next);
    job.setSpeed(RunSpeed.FULL);
  }

  /** Notes that the pre-empted job has stopped. */
  public void stopped() {
    if (job.phase() instanceof JobPhase.Stopping stopping) {
      enter(stopping.stopped());
    }
  }
}
