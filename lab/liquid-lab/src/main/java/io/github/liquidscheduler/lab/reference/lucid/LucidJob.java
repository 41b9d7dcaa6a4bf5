package io.github.liquidscheduler.lab.reference.lucid;

import io.github.liquidscheduler.lab.reference.WholeSeconds;
import io.github.liquidscheduler.lab.reference.lucid.ConsolidatedNodes.NodeGpus;
import io.github.liquidscheduler.simulator.metrics.JobOutcome;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;
import java.util.List;

/** A job during one run. Mutable. Times are whole seconds. */
final class LucidJob {

  private static final long NEVER = -1;
  private static final long RESTART = 40;
  private static final long RESTART_OF_LARGE = 60;
  private static final int LARGEST_SMALL = 8;

  private final TraceJob job;
  private final long submit;
  private final long duration;

  private List<NodeGpus> parts = List.of();
  private long remaining;
  private long service;
  private long held;
  private long firstStart = NEVER;
  private long end = NEVER;
  private int preemptions;
  private boolean running;

  LucidJob(TraceJob job) {
    this.job = job;
    submit = WholeSeconds.submission(job);
    duration = WholeSeconds.duration(job);
    remaining = duration;
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

  long duration() {
    return duration;
  }

  long remaining() {
    return remaining;
  }

  /** Returns the GPU-seconds it has had. */
  long service() {
    return service;
  }

  boolean isRunning() {
    return running;
  }

  List<NodeGpus> parts() {
    return parts;
  }

  void place(List<NodeGpus> parts) {
    this.parts = parts;
  }

  void start(long now) {
    running = true;
    if (firstStart == NEVER) {
      firstStart = now;
    }
  }

  /** Lets a running job run. */
  void pass(long seconds) {
    remaining -= seconds;
    held += seconds;
    service += seconds * gpus();
  }

  /** Stops the job, which costs time when it runs again. */
  void preempt() {
    running = false;
    preemptions++;
    remaining += gpus() <= LARGEST_SMALL ? RESTART : RESTART_OF_LARGE;
  }

  void finish(long now) {
    running = false;
    end = now;
  }

  JobOutcome outcome() {
    return new JobOutcome(
        job,
        Duration.ofSeconds(firstStart),
        Duration.ofSeconds(end),
        Duration.ofSeconds(held),
        preemptions);
  }
}
