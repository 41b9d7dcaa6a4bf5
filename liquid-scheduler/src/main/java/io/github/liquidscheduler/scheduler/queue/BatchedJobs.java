package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.planning.BatchPlan;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of a batch window: the waiting jobs that are not tried because it holds them
 * and why it does, when it opened, and the plan that is awaited.
 */
public final class BatchedJobs {

  /** Why a job is held. */
  public enum Stage {
    /** It came since the last plan was requested, or was one too many for that. */
    ENTERED,
    /** It is in the plan that was requested and has not come yet. */
    REQUESTED,
    /** Earlier plans had no place for it. */
    LEFT_OVER
  }

  // Never iterated.
  private final Map<JobEntry, Stage> stages = new HashMap<>();
  private int entered;
  private long enteredGpus;
  private int requested;
  private long requests;
  private @Nullable Instant openedAt;
  private @Nullable Instant requestedAt;

  /** Returns how many plans have been requested so far. */
  public long requests() {
    return requests;
  }

  /** Returns since when there is something new to plan, or null if there is nothing. */
  public @Nullable Instant openedAt() {
    return openedAt;
  }

  /** Returns when the plan that is awaited was requested, or null if none is awaited. */
  public @Nullable Instant requestedAt() {
    return requestedAt;
  }

  /** Returns when the plan was requested, if it is the one that is awaited. */
  public Optional<Instant> awaitedSince(BatchPlan plan) {
    return plan.request() == requests ? Optional.ofNullable(requestedAt) : Optional.empty();
  }

  /** Notes since when there is something new to plan; null if there is nothing. */
  public void open(@Nullable Instant since) {
    openedAt = since;
  }

  /** Notes that the next plan was requested and is awaited. */
  public void request(Instant now) {
    requests++;
    requestedAt = now;
  }

  /** Notes that the plan has come, or is awaited no longer. */
  public void settle() {
    requestedAt = null;
  }

  /** Sets what was recorded, apart from the jobs. */
  public void restore(long requests, @Nullable Instant openedAt, @Nullable Instant requestedAt) {
    this.requests = requests;
    this.openedAt = openedAt;
    this.requestedAt = requestedAt;
  }

  public boolean contains(JobEntry job) {
    return stages.containsKey(job);
  }

  /** Returns why the job is held, or null if it is not. */
  public @Nullable Stage stage(JobEntry job) {
    return stages.get(job);
  }

  /** Returns how many jobs are in the window: held, but not in the plan that is awaited. */
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

  /** Returns how many GPUs these ask for together. */
  public long enteredGpus() {
    return enteredGpus;
  }

  /** Holds a job, or holds it for another reason. */
  public void put(JobEntry job, Stage stage) {
    count(job, stages.put(job, stage), -1);
    count(job, stage, 1);
  }

  /** Lets a job go, if it is held. */
  void remove(JobEntry job) {
    count(job, stages.remove(job), -1);
  }

  private void count(JobEntry job, @Nullable Stage stage, int one) {
    if (stage == Stage.ENTERED) {
      entered += one;
      enteredGpus += (long) one * job.job().gpus();
    } else if (stage == Stage.REQUESTED) {
      requested += one;
    }
  }
}
