package io.github.liquidscheduler.scheduler.queue;

import io.github.liquidscheduler.scheduler.policy.GpuTime;
import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The rank of a running job under a policy that ranks by remaining time.
 *
 * <p>Rank plus time is constant while the job runs at its preferred size on its fastest GPUs. At
 * any other size it stays as of the last change or report, independent of the time of the query. On
 * slower GPUs it drifts: it is recomputed whenever the difference reaches a {@value #STEPS}th of
 * the initial remainder, at times that follow from that start.
 */
final class FallingRank {

  private static final int STEPS = 16;
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  private final SchedulingPolicy policy;
  private final JobEntry job;
  private final Instant known;
  private final long rank;

  FallingRank(SchedulingPolicy policy, JobEntry job) {
    this.policy = policy;
    this.job = job;
    known = job.history().changedAt();
    rank = policy.rank(job.at(known));
  }

  /** Returns rank plus time, as of the last recomputation. */
  long end(Instant now) {
    if (!drifts()) {
      return GpuTime.cappedSum(rank, GpuTime.nanos(known));
    }
    Instant taken = known.plus(step().multipliedBy(steps(now)));
    return GpuTime.cappedSum(policy.rank(job.at(taken)), GpuTime.nanos(taken));
  }

  /** Returns the next time of a recomputation, if any. */
  Optional<Instant> nextReview(Instant now) {
    return drifts() && policy.rank(job.at(now)) > 0
        ? Optional.of(known.plus(step().multipliedBy(steps(now) + 1)))
        : Optional.empty();
  }

  private boolean drifts() {
    return job.gpuSpeed() < 1 && rank > 0 && rank < Long.MAX_VALUE / 2;
  }

  private long steps(Instant now) {
    return Duration.between(known, now).dividedBy(step());
  }

  private Duration step() {
    Duration step = Duration.ofNanos((long) ((double) rank / STEPS / (1 - job.gpuSpeed())));
    return step.compareTo(SHORTEST) < 0 ? SHORTEST : step;
  }
}
