package io.github.liquidscheduler.lab.reference;

import io.github.liquidscheduler.simulator.metrics.JobOutcome;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;

/** A job during one run: what it has had so far. Mutable. Times are whole seconds. */
final class CountedJob {

  private static final long NEVER = -1;

  private final TraceJob job;
  private final long submit;
  private final long duration;

  private boolean running;
  private int preemptions;
  private int queue;
  private long executed;
  private long service;
  private long waited;
  private long firstStart = NEVER;
  private long end = NEVER;

  CountedJob(TraceJob job) {
    this.job = job;
    this.submit = WholeSeconds.submission(job);
    this.duration = WholeSeconds.duration(job);
  }

  String id() {
    return job.id();
  }

  int gpus() {
    return job.gpus();
  }

  long submit() {
    return submit;
  }

  boolean isRunning() {
    return running;
  }

  long remaining() {
    return duration - executed;
  }

  /** Returns the number of the queue the job is in; policies with one queue leave it at 0. */
  int queue() {
    return queue;
  }

  void queue(int queue) {
    this.queue = queue;
  }

  /** Returns the seconds executed since the start, or since {@link #forgetService}. */
  long service() {
    return service;
  }

  /** Returns the seconds waited after having run, since the start or {@link #forgetService}. */
  long waited() {
    return waited;
  }

  /** Lets time pass: a job that runs executes, one that has run before waits. */
  void pass(long seconds) {
    if (running) {
      executed += seconds;
      service += seconds;
    } else if (service > 0) {
      waited += seconds;
    }
  }

  void start(long now) {
    running = true;
    if (firstStart == NEVER) {
      firstStart = now;
    }
  }

  void preempt() {
    running = false;
    preemptions++;
  }

  void finish(long now) {
    running = false;
    end = now;
  }

  /** Makes the job look as if it had never run. */
  void forgetService() {
    service = 0;
    waited = 0;
  }

  JobOutcome outcome() {
    return new JobOutcome(
        job,
        Duration.ofSeconds(firstStart),
        Duration.ofSeconds(end),
        Duration.ofSeconds(executed),
        preemptions);
  }

  @Override
  public String toString() {
    return job.toString();
  }
}
