package io.github.liquidscheduler.scheduler.job;

import io.github.liquidscheduler.scheduler.policy.SchedulingPolicy;
import io.github.liquidscheduler.scheduler.time.GpuTime;
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
    long steps = steps(now);
    return GpuTime.cappedSum(rankAfter(steps), GpuTime.nanos(after(steps)));
  }

  /** Returns the next time of a recomputation, if any. */
  Optional<Instant> nextReview(Instant now) {
    if (!drifts()) {
      return Optional.empty();
    }
    long steps = steps(now);
    return rankAfter(steps) > 0 ? Optional.of(after(steps + 1)) : Optional.empty();
  }

  private boolean drifts() {
    return job.speed().gpu() < 1 && rank > 0 && rank < Long.MAX_VALUE / 2;
  }

  /** Returns the number of recomputations so far; after the first without a remainder none. */
  private long steps(Instant now) {
    long least = 0;
    long most = Duration.between(known, now).dividedBy(step());
    while (least < most) {
      long middle = (least + most) >>> 1;
      if (rankAfter(middle) > 0) {
        least = middle + 1;
      } else {
        most = middle;
      }
    }
    return least;
  }

  private long rankAfter(long steps) {
    return policy.rank(job.at(after(steps)));
  }

  private Instant after(long steps) {
    return known.plus(step().multipliedBy(steps));
  }

  private Duration step() {
    Duration step = Duration.ofNanos((long) ((double) rank / STEPS / (1 - job.speed().gpu())));
    return step.compareTo(SHORTEST) < 0 ? SHORTEST : step;
  }
}
