package io.github.liquidscheduler.simulator;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import org.jspecify.annotations.Nullable;

/**
 * A job during a simulation and how far it really is. Work is counted in nanoseconds at rate 1,
 * times in nanoseconds since the start of the trace. Within a run, that is from a start to the stop
 * after it, the rate changes with the co-runners that the job has on its GPUs. Mutable.
 */
final class SimulatedJob {

  static final long NEVER = Long.MAX_VALUE;

  private final TraceJob job;
  private final JobSpec described;
  private JobSpec spec;
  private final int position;
  private final long work;

  private State state = State.TO_COME;
  private @Nullable Placement placement;
  private long done;
  private long doneBefore;
  private long saved;
  private double rateAlone;
  private double retained;
  private long heldSince;
  private long worksFrom;
  private long rateSince;
  private long nextReport = NEVER;
  private long firstStart = NEVER;
  private long end = NEVER;
  private long held;
  private boolean alone;
  private int preemptions;
  private int failures;
  private String rejection = "";

  SimulatedJob(TraceJob job, JobSpec spec, int position, long work) {
    this.job = job;
    described = spec;
    this.spec = spec;
    this.position = position;
    this.work = work;
  }

  TraceJob job() {
    return job;
  }

  JobSpec spec() {
    return spec;
  }

  int position() {
    return position;
  }

  /** Returns how many nanoseconds all its work takes at rate 1. */
  long work() {
    return work;
  }

  State state() {
    return state;
  }

  boolean isRunning() {
    return state == State.RUNNING;
  }

  /** Returns where it runs; null unless it does. */
  @Nullable Placement placement() {
    return placement;
  }

  /** Returns when it ends if nothing comes between, or when it ended; {@link #NEVER} if unknown. */
  long end() {
    return end;
  }

  long firstStart() {
    return firstStart;
  }

  /** Returns for how long it has held GPUs until {@code now}, at which it runs. */
  long heldUntil(long now) {
    return held + now - heldSince;
  }

  /** Returns for how long it has held GPUs, until it last stopped. */
  long held() {
    return held;
  }

  int preemptions() {
    return preemptions;
  }

  int failures() {
    return failures;
  }

  /** Returns why it was rejected; empty if it was not. */
  String rejection() {
    return rejection;
  }

  /** Returns the job as it is described, without the requests of the request model. */
  JobSpec described() {
    return described;
  }

  /** Changes its requests from its next start on. */
  void update(JobSpec spec) {
    this.spec = spec;
  }

  /** Returns whether it had no co-runner in this run, or the last. */
  boolean isAlone() {
    return alone;
  }

  /** Records that it has a co-runner. */
  void addCoRunner() {
    alone = false;
  }

  void submit() {
    state = State.WAITING;
  }

  /** Returns from when on it works in this run. */
  long worksFrom() {
    return worksFrom;
  }

  /** Returns since when it has worked at its present rate, or from when on it will. */
  long rateSince() {
    return rateSince;
  }

  /** Lets it report its progress at {@code time} if it still runs, and not before. */
  void reportAt(long time) {
    nextReport = time;
  }

  /** Returns whether it reports its progress at {@code time}. */
  boolean reportsAt(long time) {
    return isRunning() && nextReport == time;
  }

  /** Returns its present rate: that of this placement, times its retained speed. */
  double rate() {
    return rateAlone * retained;
  }

  /** Returns the part of its work that is done at a time at which it runs, from 0 to 1. */
  double progress(long now) {
    return work == 0 ? 1 : Math.min(1, (double) doneAt(now) / work);
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
    this.rateAlone = rateAlone;
    this.worksFrom = worksFrom;
    retained = 1;
    alone = true;
    rateSince = worksFrom;
    doneBefore = done;
    saved = done;
    heldSince = now;
    firstStart = Math.min(firstStart, now);
    state = State.RUNNING;
    foreseeEnd();
  }

  /**
   * Changes its speed from {@code now} on, because its co-runners changed.
   *
   * @param retained its retained speed, in (0, 1.05]
   * @param interval the time between two checkpoints, as for {@link #fail}
   */
  void changeCoRunners(long now, double retained, long interval) {
    if (!(retained > 0 && retained <= 1.05)) {
      throw new IllegalArgumentException(
          "a retained speed must be in (0, 1.05], but was %s, for %s".formatted(retained, job));
    }
    settle(now, interval);
    this.retained = retained;
    foreseeEnd();
  }

  /**
   * Ends it with all its work done.
   *
   * @return the nanoseconds for which this run got on, at the speed alone
   */
  long finish(long now) {
    leave(now);
    done = work;
    end = now;
    state = State.FINISHED;
    return kept();
  }

  /**
   * Stops it with what it has done.
   *
   * @return the nanoseconds for which this run got on, at the speed alone
   */
  long stop(long now) {
    settle(now, 0);
    return stopWith(now, done);
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
    settle(now, interval);
    return stopWith(now, interval == 0 ? done : saved);
  }

  void countPreemption() {
    preemptions++;
  }

  void reject(String why) {
    state = State.REJECTED;
    rejection = why;
  }

  /** Books what was done at the present rate. */
  private void settle(long now, long interval) {
    if (now <= rateSince) {
      return;
    }
    if (interval > 0) {
      long lastCheckpoint = now - (now - worksFrom) % interval;
      saved = lastCheckpoint >= rateSince ? doneAt(lastCheckpoint) : saved;
    }
    done = doneAt(now);
    rateSince = now;
  }

  private long doneAt(long time) {
    long worked = Math.max(0, time - rateSince);
    return Math.min(work, done + (rate() == 1 ? worked : (long) Math.floor(worked * rate())));
  }

  private void foreseeEnd() {
    long left = work - done;
    end = VirtualTime.after(rateSince, rate() == 1 ? left : (long) Math.ceil(left / rate()));
  }

  private long stopWith(long now, long kept) {
    leave(now);
    done = kept;
    end = NEVER;
    state = State.WAITING;
    return kept();
  }

  private long kept() {
    return rateAlone == 1 ? done - doneBefore : Math.round((done - doneBefore) / rateAlone);
  }

  private void leave(long now) {
    held += now - heldSince;
    placement = null;
  }

  /** Where a job is in its life. */
  enum State {
    TO_COME,
    WAITING,
    RUNNING,
    FINISHED,
    REJECTED
  }
}
