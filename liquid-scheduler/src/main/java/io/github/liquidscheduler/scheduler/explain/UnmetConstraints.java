package io.github.liquidscheduler.scheduler.explain;

import io.github.liquidscheduler.explanation.Constraint;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.placement.gang.UnmetConstraintSearch;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.quota.QuotaExcess;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import io.github.liquidscheduler.scheduling.Placer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The constraints that a waiting job does not meet: of placement, of quotas, and of time. */
public final class UnmetConstraints {

  private UnmetConstraints() {}

  /**
   * Returns the constraints that keep a job from being placed, also if its placer does not report
   * them; empty if the job fits.
   */
  public static List<UnmetConstraint> of(Placer placer, ClusterState state, JobSpec job) {
    List<UnmetConstraint> said = placer.unmetConstraints(state, job);
    return said.isEmpty() ? UnmetConstraintSearch.explain(placer, state, job) : said;
  }

  /** Returns the constraint for an exceeded quota. */
  public static UnmetConstraint of(QuotaExcess excess) {
    String scope =
        excess.isOfGuaranteed()
            ? "%s guaranteed to queue '%s', for jobs that may not be pre-empted"
            : "limit of %s of queue '%s'";
    int grain = excess.resource().kind() == QuotaResource.Kind.GPU ? 1000 : 1;
    return new UnmetConstraint(
        switch (excess.resource().kind()) {
          case GPU -> Constraint.QUEUE_GPUS;
          case CPU -> Constraint.QUEUE_CPU;
          case MEMORY -> Constraint.QUEUE_MEMORY;
        },
        scope.formatted(excess.resource(), excess.queue()),
        Math.ceilDiv(excess.asked(), grain),
        excess.available() / grain,
        Optional.empty());
  }

  /**
   * Returns what keeps a waiting job from being tried, other than its turn: that it is held, or has
   * a delay, with the seconds required and waited; else empty.
   */
  public static Optional<UnmetConstraint> backOff(JobEntry job, Instant now) {
    return job.history()
        .hold()
        .map(why -> why.isEmpty() ? "by its user" : why)
        .map(why -> new UnmetConstraint(Constraint.HELD, why, 1, 0, Optional.empty()))
        .or(
            () ->
                Optional.ofNullable(job.delayedUntil())
                    .map(until -> delay(until, job.since(), now)));
  }

  private static UnmetConstraint delay(Instant until, Instant since, Instant now) {
    return new UnmetConstraint(
        Constraint.BACK_OFF,
        isForEver(until) ? "until it is updated" : "until " + until,
        isForEver(until)
            ? Long.MAX_VALUE
            : Duration.between(since, until).plusNanos(999_999_999).toSeconds(),
        Duration.between(since, now).toSeconds(),
        Optional.empty());
  }

  private static boolean isForEver(Instant until) {
    return until.isAfter(GpuTime.LATEST);
  }
}
