package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.planning.BatchPlan;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of a batch window: what it is doing, and the waiting jobs that are parked in
 * it and why.
 */
public final class BatchedJobs {

  /** Why a job is parked in the window. */
  public enum Membership {
    /** It came since the last plan was requested, or was one too many for that. */
    ENTERED,
    /** It is in the plan that was requested and has not come yet. */
    REQUESTED,
    /** Earlier plans could not start it. */
    LEFT_OVER
  }

  // Never iterated.
  private final Map<JobEntry, Membership> stages = new HashMap<>();
  private WindowPhase phase = new WindowPhase.Idle();
  private int entered;
  private long enteredGpus;
  private int requested;
  private long requests;

  /** Returns what the window is doing. */
  public WindowPhase phase() {
    return phase;
  }

  /** Goes on to another phase. */
  public void enter(WindowPhase next) {
    phase = next;
  }

  /** Notes that there is something new to plan, if there was nothing. */
  public void open(Instant now) {
    phase = phase.opened(now);
  }

  /** Notes that there is nothing new to plan. */
  public void close() {
    phase = phase.closed();
  }

  /** Returns how many plans have been requested so far. */
  public long requests() {
    return requests;
  }

  /** Notes that the next plan was requested; {@code next} is what the window does meanwhile. */
  public void request(Instant now, WindowPhase.Collecting next) {
    requests++;
    phase = new WindowPhase.Awaiting(now, next);
  }

  /** Returns when the plan was requested, if it is the one that is awaited. */
  public Optional<Instant> awaitedSince(BatchPlan plan) {
    return plan.number() == requests && phase instanceof WindowPhase.Awaiting awaiting
        ? Optional.of(awaiting.requestedAt())
        : Optional.empty();
  }

  /** Sets what was recorded, apart from the jobs. */
  public void restore(long requests, WindowPhase phase) {
    this.requests = requests;
    this.phase = phase;
  }

  /** Returns true if the job is parked in the window, for whatever reason. */
  public boolean contains(JobEntry job) {
    return stages.containsKey(job);
  }

  /** Returns true if no job is parked in the window. */
  public boolean isEmpty() {
    return stages.isEmpty();
  }

  /** Returns why the job is parked, or null if it is not. */
  public @Nullable Membership stage(JobEntry job) {
    return stages.get(job);
  }

  /** Returns how many jobs are in the window: parked, but not in the plan that is awaited. */
  public int gathered() {
    return stages.size() - requested;
  }

  /** Returns how many jobs are in the plan that is awaited. */
  public int requested() {
    return requested;
  }

  /** Returns how many jobs the last request was not for. */
  public int entered() {
    return entered;
  }

  /** Returns how many GPUs these request together. */
  public long enteredGpus() {
    return enteredGpus;
  }

  /** Parks a job, or parks it for another reason. */
  public void put(JobEntry job, Membership stage) {
    count(job, stages.put(job, stage), -1);
    count(job, stage, 1);
  }

  /** Removes a job, if it is parked. */
  void remove(JobEntry job) {
    count(job, stages.remove(job), -1);
  }

  private void count(JobEntry job, @Nullable Membership stage, int one) {
    if (stage == Membership.ENTERED) {
      entered += one;
      enteredGpus += (long) one * job.job().gpus();
    } else if (stage == Membership.REQUESTED) {
      requested += one;
    }
  }
}
