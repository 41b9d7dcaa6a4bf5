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
    if (membership == Membership.BEYOND_QUOTA) {
      return beyondQuota();
    }
    String due =
        nextWakeUp().map(at -> "due at " + at).orElse("due once there is something new to plan");
    boolean awaited =
        membership == Membership.REQUESTED && batched.phase() instanceof WindowPhase.Awaiting;
    return new UnmetConstraint(
        Constraint.BATCH_WINDOW,
        awaited ? "plan " + batched.requests() + ", " + due : "the window, " + due,
        awaited ? batched.requested() : batched.gathered(),
        0,
        Optional.empty());
  }

  /** Returns the constraint of a job whose quotas the jobs before it are to use up. */
  private UnmetConstraint beyondQuota() {
    boolean isAwaited = batched.phase() instanceof WindowPhase.Awaiting;
    return new UnmetConstraint(
        Constraint.BATCH_WINDOW,
        isAwaited
            ? "quota that the jobs of plan %d may take".formatted(batched.requests())
            : "quota, for the next window",
        isAwaited ? batched.requested() : batched.gathered(),
        0,
        Optional.empty());
  }

  static Instant closing(WindowPhase.Gathering gathering, BatchWindow options) {
    return GpuTime.end(gathering.since(), options.time());
  }

  static Instant timeout(WindowPhase.Awaiting awaiting, BatchWindow options) {
    return GpuTime.end(awaiting.requestedAt(), options.planTimeout());
  }
}
