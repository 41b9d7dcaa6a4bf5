package io.github.liquidscheduler.simulator;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import org.jspecify.annotations.Nullable;

/**
 * A job during a run and how far it really is. Work is counted in nanoseconds at rate 1, times in
 * nanoseconds since the start of the trace. Mutable.
 */
final class SimulatedJob {

  static final long NEVER = Long.MAX_VALUE;

  private final TraceJob job;
  private final JobSpec spec;
  private final int position;
  private final long work;

  private State state = State.TO_COME;
  private @Nullable Placement placement;
  private long done;
  private double rate;
  private long heldSince;
  private long worksFrom;
  private long firstStart = NEVER;
  private long end = NEVER;
  private long held;
  private int preemptions;
  private int failures;
  private String rejection = "";

  SimulatedJob(TraceJob job, JobSpec spec, int position, long work) {
    this.job = job;
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

  void submit() {
    state = State.WAITING;
  }

  /**
   * Lets it hold GPUs from {@code now} on and work from {@code worksFrom} on.
   *
   * @throws IllegalArgumentException if it would end beyond what can be counted
   */
  void start(long now, Placement placement, double rate, long worksFrom) {
    if (!(rate > 0) || Double.isInfinite(rate)) {
      throw new IllegalArgumentException(
          "a job's rate must be positive and finite, but was " + rate + ", for " + job);
    }
    this.placement = placement;
    this.rate = rate;
    this.worksFrom = worksFrom;
    heldSince = now;
    firstStart = Math.min(firstStart, now);
    state = State.RUNNING;
    long needed = rate == 1 ? work - done : (long) Math.ceil((work - done) / rate);
    end = VirtualTime.after(worksFrom, needed);
  }

  /** Ends it with all its work done. */
  void finish(long now) {
    leave(now);
    done = work;
    end = now;
    state = State.FINISHED;
  }

  /**
   * Stops it with what it has done.
   *
   * @return the nanoseconds for which this run got on
   */
  long stop(long now) {
    return stop(now, worked(now));
  }

  /**
   * Stops it with what it had done at its last checkpoint of this run.
   *
   * @param interval the time between two checkpoints, counted from the start of its work; 0 if it
   *     writes one at every moment
   * @return the nanoseconds for which this run got on and which are not lost
   */
  long fail(long now, long interval) {
    failures++;
    long worked = worked(now);
    return stop(now, interval == 0 ? worked : worked - worked % interval);
  }

  void countPreemption() {
    preemptions++;
  }

  void reject(String why) {
    state = State.REJECTED;
    rejection = why;
  }

  /** Returns for how long this run has got on, overheads not counted. */
  long worked(long now) {
    return Math.max(0, now - worksFrom);
  }

  private long stop(long now, long kept) {
    leave(now);
    done = Math.min(work, done + (rate == 1 ? kept : (long) Math.floor(kept * rate)));
    end = NEVER;
    state = State.WAITING;
    return kept;
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
