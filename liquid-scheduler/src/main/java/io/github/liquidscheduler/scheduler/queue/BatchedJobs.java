package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.planning.BatchPlan;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The state of a batch window: its phase, and the parked jobs with the reason of each. */
public final class BatchedJobs {

  /** The reason for parking a job. */
  public enum Membership {
    /** It came since the last plan was requested, or exceeded that request's size. */
    ENTERED,
    /** It is in the plan that was requested and has not come yet. */
    REQUESTED,
    /** Earlier plans could not start it. */
    LEFT_OVER,
    /** Its quotas were used up by those before it when a plan was requested. */
    BEYOND_QUOTA
  }

  /**
   * A plan some of whose jobs are still to be tried in the next event.
   *
   * @param number the request that it answers; 0 for none
   * @param starts the planned placements of jobs not yet tried, in order
   * @param conflicting those of these jobs whose placements conflict with others
   * @param borrowed the jobs that are eligible until they have been tried, with their reasons for
   *     parking
   * @param deferrable the jobs that others may bypass, in turn order
   * @param started the positions among these before which planned jobs have started
   * @param singled the jobs to be tried apart from the first of their classes
   * @param someDidNotFit whether a planned placement did not fit
   * @param hasGrown whether the event that brought the plan released capacity
   */
  public record OpenPlan(
      long number,
      List<Placement> starts,
      List<JobId> conflicting,
      Map<JobId, Membership> borrowed,
      List<JobId> deferrable,
      List<Integer> started,
      List<JobId> singled,
      boolean someDidNotFit,
      boolean hasGrown) {

    /** Returns jobs without a plan that are to be tried in the next event. */
    public static OpenPlan without(Map<JobId, Membership> borrowed) {
      return new OpenPlan(
          0, List.of(), List.of(), borrowed, List.of(), List.of(), List.of(), false, false);
    }
  }

  // Never iterated.
  private final Map<JobEntry, Membership> stages = new HashMap<>();
  private WindowPhase phase = new WindowPhase.Idle();
  private int entered;
  private long enteredGpus;
  private int requested;
  private long requests;
  private @Nullable OpenPlan openPlan;

  /** Returns the plan some of whose jobs are still to be tried; null if there is none. */
  public @Nullable OpenPlan openPlan() {
    return openPlan;
  }

  /** Sets the plan some of whose jobs are still to be tried; null for none. */
  public void leaveOpen(@Nullable OpenPlan plan) {
    openPlan = plan;
  }

  /** Returns the plan some of whose jobs are still to be tried, and forgets it. */
  public @Nullable OpenPlan takeOpenPlan() {
    @Nullable OpenPlan taken = openPlan;
    openPlan = null;
    return taken;
  }

  /** Returns the phase of the window. */
  public WindowPhase phase() {
    return phase;
  }

  /** Enters a phase. */
  public void enter(WindowPhase next) {
    phase = next;
  }

  /** Opens the window if it is idle: there is something new to plan. */
  public void open(Instant now) {
    phase = phase.opened(now);
  }

  /** Closes the window: there is nothing new to plan. */
  public void close() {
    phase = phase.closed();
  }

  /** Returns the number of plans requested so far. */
  public long requests() {
    return requests;
  }

  /** Counts a request; {@code next} is the phase that follows the answer. */
  public void request(Instant now, WindowPhase.Collecting next) {
    requests++;
    phase = new WindowPhase.Awaiting(now, next);
  }

  /** Returns the time of the request that the plan answers; empty unless it is the awaited one. */
  public Optional<Instant> awaitedSince(BatchPlan plan) {
    return plan.number() == requests && phase instanceof WindowPhase.Awaiting awaiting
        ? Optional.of(awaiting.requestedAt())
        : Optional.empty();
  }

  /** Restores the recorded state without the jobs. */
  public void restore(long requests, WindowPhase phase) {
    this.requests = requests;
    this.phase = phase;
  }

  /** Returns true if the job is parked. */
  public boolean contains(JobEntry job) {
    return stages.containsKey(job);
  }

  /** Returns true if no job is parked. */
  public boolean isEmpty() {
    return stages.isEmpty();
  }

  /** Returns the reason for parking, or null if the job is not parked. */
  public @Nullable Membership stage(JobEntry job) {
    return stages.get(job);
  }

  /** Returns the number of parked jobs that are not in the awaited plan. */
  public int gathered() {
    return stages.size() - requested;
  }

  /** Returns the number of jobs in the awaited plan. */
  public int requested() {
    return requested;
  }

  /** Returns the number of jobs that entered since the last request. */
  public int entered() {
    return entered;
  }

  /** Returns the GPUs requested by these jobs together. */
  public long enteredGpus() {
    return enteredGpus;
  }

  /** Parks a job, or changes the reason. */
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
