package io.github.liquidscheduler.lab.reference.gavel;

import io.github.liquidscheduler.simulator.metrics.JobOutcome;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;
import java.util.Arrays;

/** A job on its way through the rounds. Times are seconds. */
final class GavelJob {

  private static final double NANOS = 1e9;

  private final TraceJob job;
  private final int number;
  private final double[] speeds;
  private final long steps;
  private long remaining;
  private boolean isRunning;
  private double firstStart = -1;
  private double end;
  private double running;
  private int preemptions;

  /**
   * Makes a job that has not arrived.
   *
   * @param number its position in the trace
   * @param speeds its steps per second on each GPU model, 0 where it cannot run
   */
  GavelJob(TraceJob job, int number, long steps, double[] speeds) {
    this.job = job;
    this.number = number;
    this.steps = steps;
    this.remaining = steps;
    this.speeds = speeds;
  }

  String id() {
    return job.id();
  }

  int number() {
    return number;
  }

  int gpus() {
    return job.gpus();
  }

  double arrival() {
    return job.submit().toNanos() / NANOS;
  }

  double speed(int model) {
    return speeds[model];
  }

  double[] speeds() {
    return speeds.clone();
  }

  /** Returns the steps that are left. */
  long remaining() {
    return remaining;
  }

  /** Returns the steps that are done. */
  long done() {
    return steps - remaining;
  }

  /** Returns the steps per second on the GPU model on which the job is fastest. */
  double fastest() {
    return Arrays.stream(speeds).max().orElse(0);
  }

  TraceJob trace() {
    return job;
  }

  boolean isDone() {
    return remaining <= 0;
  }

  /** Returns the steps that the job does in a round of this length, at a speed. */
  long steps(double speed, double seconds) {
    return Math.min((long) (seconds * speed), remaining);
  }

  /** Tells that a round begins, in which the job runs or not. */
  void beginRound(boolean runs, double now) {
    if (isRunning && !runs) {
      preemptions++;
    }
    if (runs && firstStart < 0) {
      firstStart = now;
    }
    isRunning = runs;
  }

  void complete(long steps, double start, double finish) {
    remaining -= steps;
    running += finish - start;
    end = finish;
  }

  JobOutcome outcome() {
    Duration first = duration(firstStart);
    Duration last = duration(end);
    Duration held = duration(running);
    Duration most = last.minus(first);
    return new JobOutcome(job, first, last, held.compareTo(most) > 0 ? most : held, preemptions);
  }

  private static Duration duration(double seconds) {
    return Duration.ofNanos(Math.round(seconds * NANOS));
  }
}
