package io.github.liquidscheduler.simulator;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A job during a simulation. Times are nanoseconds since the start of the trace. Mutable. */
final class SimulatedJob {

  static final long NEVER = Long.MAX_VALUE;

  private final TraceJob job;
  private final JobId id;
  private final int position;
  private final JobWork work;

  private State state = State.WAITING;
  private @Nullable JobSpec described;
  private @Nullable JobSpec spec;
  private @Nullable Placement placement;
  private long heldSince;
  private long nextReport = NEVER;
  private long firstStart = NEVER;
  private long end = NEVER;
  private long held;
  private boolean alone;
  private int preemptions;
  private int failures;

  SimulatedJob(TraceJob job, int position, long work) {
    this.job = job;
    id = JobId.of(job.id());
    this.position = position;
    this.work = new JobWork(work);
  }

  TraceJob job() {
    return job;
  }

  JobId id() {
    return id;
  }

  /** Returns the job as it was submitted last; only between its submission and its end. */
  JobSpec spec() {
    return Objects.requireNonNull(spec, "spec of a job in the system");
  }

  int position() {
    return position;
  }

  JobWork work() {
    return work;
  }

  State state() {
    return state;
  }

  boolean isRunning() {
    return state == State.RUNNING;
  }

  /** Returns its placement; null unless it runs. */
  @Nullable Placement placement() {
    return placement;
  }

  /** Returns its placement while it runs. */
  Placement placed() {
    return Objects.requireNonNull(placement, "placement of a running job");
  }

  /** Returns its end, or its end without further changes; {@link #NEVER} if unknown. */
  long end() {
    return end;
  }

  long firstStart() {
    return firstStart;
  }

  /** Returns the time that it has held GPUs until {@code now}, at which it runs. */
  long heldUntil(long now) {
    return held + now - heldSince;
  }

  /** Returns the time that it has held GPUs until it last stopped. */
  long held() {
    return held;
  }

  int preemptions() {
    return preemptions;
  }

  int failures() {
    return failures;
  }

  /**
   * Returns the job as it is described, without the requests of the request model; only between its
   * submission and its end.
   */
  JobSpec described() {
    return Objects.requireNonNull(described, "description of a job in the system");
  }

  /** Changes its requests from its next start on. */
  void update(JobSpec spec) {
    this.spec = spec;
  }

  /** Returns true if it had no co-runner in this run, or the last. */
  boolean isAlone() {
    return alone;
  }

  /** Records that it has a co-runner. */
  void addCoRunner() {
    alone = false;
  }

  /** Lets it wait, described so. */
  void submit(JobSpec described) {
    this.described = described;
    spec = described;
  }

  /** Forgets its description, so that memory grows with the jobs in the system. */
  private void forget() {
    described = null;
    spec = null;
  }

  /** Lets it report its progress at {@code time} if it still runs, and not before. */
  void reportAt(long time) {
    nextReport = time;
  }

  /** Returns true if it reports its progress at {@code time}. */
  boolean reportsAt(long time) {
    return isRunning() && nextReport == time;
  }

  /**
   * Lets it hold GPUs from {@code now} on and work from {@code worksFrom} on, alone.
   *
   * @throws IllegalArgumentException if it would end beyond what can be counted
   */
  void start(long now, Placement placement, double rateAlone, long worksFrom) {
    if (!(rateAlone > 0) || Double.isInfinite(rateAlone)) {
      throw new IllegalArgumentException(
          "a job's rate must be positive and finite, but was " + rateAlone + ", for " + job);
    }
    this.placement = placement;
    work.start(rateAlone, worksFrom);
    alone = true;
    heldSince = now;
    firstStart = Math.min(firstStart, now);
    state = State.RUNNING;
    end = work.end();
  }

  /** Lets it retain a part in (0, 1.05] of its speed from {@code now} on, beside others. */
  void changeCoRunners(long now, double retained, long interval) {
    if (!(retained > 0 && retained <= 1.05)) {
      throw new IllegalArgumentException(
          "a retained speed must be in (0, 1.05], but was %s, for %s".formatted(retained, job));
    }
    work.retain(retained, now, interval);
    end = work.end();
  }

  /** Lets it have another placement, whether it works there already or not. */
  void place(Placement placement) {
    this.placement = placement;
  }

  /** Lets it work from {@code worksFrom} on, which was not known when it started. */
  void begin(long worksFrom) {
    work.begin(worksFrom);
    end = work.end();
  }

  /** Lets it hold its GPUs from {@code now} until {@code until} and do nothing. */
  void pause(long now, long until, long interval) {
    work.pause(now, until, interval);
    end = work.end();
  }

  /** Lets it work at another rate; returns the nanoseconds, at the speed alone, before. */
  long resize(double rateAlone, long now, long interval) {
    long kept = work.resize(rateAlone, now, interval);
    end = work.end();
    return kept;
  }

  /** Ends it with all its work done; returns this run's nanoseconds, at the speed alone. */
  long finish(long now) {
    leave(now);
    work.finish(now);
    end = now;
    state = State.FINISHED;
    forget();
    return work.kept();
  }

  /** Stops it with what it has done; returns this run's nanoseconds, at the speed alone. */
  long stop(long now) {
    work.settle(now, 0);
    return stopped(now);
  }

  /**
   * Stops it with what it had done at its last checkpoint of this run.
   *
   * @param interval the time between two checkpoints, counted from the start of its work; 0 if it
   *     writes one at every moment
   * @return the nanoseconds for which this run got on and which are not lost, at the speed alone
   */
  long fail(long now, long interval) {
    failures++;
    work.settle(now, interval);
    if (interval > 0) {
      work.fallBack();
    }
    return stopped(now);
  }

  void countPreemption() {
    preemptions++;
  }

  void reject() {
    state = State.REJECTED;
    forget();
  }

  private long stopped(long now) {
    leave(now);
    end = NEVER;
    state = State.WAITING;
    return work.kept();
  }

  private void leave(long now) {
    held += now - heldSince;
    placement = null;
  }

  /** The phase of a job. */
  enum State {
    WAITING,
    RUNNING,
    FINISHED,
    REJECTED
  }
}
