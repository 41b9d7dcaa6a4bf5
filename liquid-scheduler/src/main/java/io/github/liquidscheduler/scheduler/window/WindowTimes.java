package io.github.liquidscheduler.scheduler.window;

import io.github.liquidscheduler.explanation.Constraint;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.policy.BatchWindow;
import io.github.liquidscheduler.scheduler.queue.BatchedJobs;
import io.github.liquidscheduler.scheduler.queue.BatchedJobs.Membership;
import io.github.liquidscheduler.scheduler.queue.WindowPhase;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import java.time.Instant;
import java.util.Optional;

/**
 * The deadlines of a batch window, and the constraint of jobs parked in it.
 *
 * @param batched the state of the window
 * @param options its options
 */
public record WindowTimes(BatchedJobs batched, BatchWindow options) {

  /** Returns the time at which the window closes or its plan times out; empty if it never does. */
  public Optional<Instant> nextWakeUp() {
    return switch (batched.phase()) {
      case WindowPhase.Idle idle -> Optional.empty();
      case WindowPhase.Gathering gathering -> GpuTime.after(gathering.since(), options.time());
      case WindowPhase.Awaiting awaiting ->
          GpuTime.after(awaiting.requestedAt(), options.planTimeout());
    };
  }

  /** Returns the window's constraint on a job, if the job is parked. */
  public Optional<UnmetConstraint> unmetConstraint(JobEntry job) {
    return Optional.ofNullable(batched.stage(job)).map(this::unmetConstraint);
  }

  private UnmetConstraint unmetConstraint(Membership membership) {
    boolean isBeyondQuota = membership == Membership.BEYOND_QUOTA;
    boolean isAwaited =
        batched.phase() instanceof WindowPhase.Awaiting
            && (isBeyondQuota || membership == Membership.REQUESTED);
    return new UnmetConstraint(
        Constraint.BATCH_WINDOW,
        isBeyondQuota ? quotaOf(isAwaited) : windowOf(isAwaited),
        isAwaited ? batched.requested() : batched.gathered(),
        0,
        Optional.empty());
  }

  /** Returns the quota that the jobs before a job are to use up. */
  private String quotaOf(boolean isAwaited) {
    return isAwaited
        ? "quota that the jobs of plan %d may take".formatted(batched.requests())
        : "quota, for the next window";
  }

  private String windowOf(boolean isAwaited) {
    String due =
        nextWakeUp().map(at -> "due at " + at).orElse("due once there is something new to plan");
    return (isAwaited ? "plan " + batched.requests() : "the window") + ", " + due;
  }

  static Instant closing(WindowPhase.Gathering gathering, BatchWindow options) {
    return GpuTime.end(gathering.since(), options.time());
  }

  static Instant timeout(WindowPhase.Awaiting awaiting, BatchWindow options) {
    return GpuTime.end(awaiting.requestedAt(), options.planTimeout());
  }
}
