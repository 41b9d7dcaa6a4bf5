package io.github.liquidscheduler.scheduler.deadline;

import io.github.liquidscheduler.explanation.Constraint;
import io.github.liquidscheduler.explanation.StartEstimate;
import io.github.liquidscheduler.explanation.UnmetConstraint;
import io.github.liquidscheduler.placement.timeline.TimeWindow;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.phase.JobPhase;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import io.github.liquidscheduler.text.Count;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The promise to a waiting job, for explanations. */
public record PromisedShare(JobEntry job, Instant now, Optional<TimeWindow> window) {

  /**
   * Returns the promise to a waiting job; empty if these rules promise none, or if a failure or a
   * pending stop holds the job instead.
   */
  public static Optional<PromisedShare> of(JobEntry job, JobTable jobs, Elasticity rules) {
    boolean isPromised =
        rules.lateJobs().isPresent()
            && SharePlan.isPromised(job.job())
            && job.history().hold().isEmpty()
            && job.history().failures() == 0
            && !isRetryDelayed(job)
            && !job.isStopping();
    return isPromised
        ? Optional.of(new PromisedShare(job, jobs.now(), new SharePlan(jobs, rules).window(job)))
        : Optional.empty();
  }

  /** Returns true if a job waits for the delay of a retry, which ends after any promise begins. */
  private static boolean isRetryDelayed(JobEntry job) {
    return job.phase() instanceof JobPhase.Waiting waiting
        && waiting.delay().isPresent()
        && waiting.share().isEmpty();
  }

  /** Returns the promised start and latest end; empty if none can be promised. */
  public Optional<StartEstimate> estimate() {
    return window
        .filter(share -> share.end() < TimeWindow.FOREVER)
        .map(
            share ->
                new StartEstimate.PromisedBy(
                    GpuTime.instant(share.start()), GpuTime.instant(share.end())));
  }

  /** Returns the promised start as the constraint that holds the job, if it is held. */
  public Optional<UnmetConstraint> unmet() {
    return Optional.ofNullable(job.delayedUntil())
        .map(
            until ->
                new UnmetConstraint(
                    Constraint.PROMISED_START,
                    scope(),
                    Duration.between(job.since(), until).plusNanos(999_999_999).toSeconds(),
                    Duration.between(job.since(), now).toSeconds(),
                    Optional.empty()));
  }

  private String scope() {
    String share =
        window
            .map(
                found ->
                    "%s from %s on"
                        .formatted(
                            Count.of(job.job().parallelism().min(), "task"),
                            GpuTime.instant(found.start())))
            .orElse("no share can be promised");
    return job.job()
        .deadline()
        .map(deadline -> share + ", its deadline is " + deadline)
        .orElse(share);
  }
}
