package io.github.liquidscheduler.scheduler.deadline;

import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.Parallelism;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.placement.timeline.TimeWindow;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.PlacementClass;
import io.github.liquidscheduler.scheduler.policy.Elasticity;
import io.github.liquidscheduler.scheduler.policy.Elasticity.LateJobs;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import io.github.liquidscheduler.scheduler.resize.SpeedCurve;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import io.github.liquidscheduler.scheduler.turn.Turn;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.JobStatus.Outcome;
import io.github.liquidscheduler.scheduling.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Admits jobs with their {@linkplain SharePlan shares}: an admitted job's smallest size becomes its
 * share, so that nothing shrinks it below, and the job is held until its share is free. The jobs
 * carry all the state.
 */
public record DeadlineAdmission(JobTable jobs, Elasticity rules, LateJobs late) {

  /** Adds a new job, held until its share is free, or rejects it. */
  public void submit(Turn turn, JobSpec job) {
    Optional<Share> share =
        SharePlan.isPromised(job) ? new SharePlan(jobs, rules).best(job) : Optional.empty();
    if (isRefused(job, share)) {
      turn.decide(new Decision.Reject(job.id(), unmet(job, share)));
      jobs.waitingTransitions().reject(job.id());
      return;
    }
    JobSpec admitted = share.map(promised -> with(job, promised)).orElse(job);
    jobs.waitingTransitions().submit(admitted, new PlacementClass(admitted));
    if (SharePlan.isPromised(job)) {
      JobEntry entry = Objects.requireNonNull(jobs.find(job.id()));
      delayUntil(entry, share.map(Share::start).orElse(TimeWindow.FOREVER));
    }
  }

  /** Re-admits an updated waiting job, or rejects it; a held or running one keeps its share. */
  public void update(Turn turn, JobEntry entry) {
    JobSpec job = entry.job();
    if (entry.isHeld() || entry.isRunning() || !SharePlan.isPromised(job)) {
      return;
    }
    Optional<Share> share = new SharePlan(jobs, rules).without(entry).best(job);
    if (isRefused(job, share)) {
      turn.decide(new Decision.Reject(job.id(), unmet(job, share)));
      jobs.runTransitions().end(entry, Outcome.REJECTED);
      return;
    }
    share.ifPresent(promised -> jobs.waitingTransitions().update(entry, with(job, promised)));
    delayUntil(entry, share.map(Share::start).orElse(TimeWindow.FOREVER));
  }

  private static Reason unmet(JobSpec job, Optional<Share> share) {
    Optional<Instant> end =
        share.map(Share::end).map(GpuTime::instant).filter(at -> !at.isAfter(GpuTime.LATEST));
    return new Reason.DeadlineUnmet(job.deadline().orElseThrow(), end);
  }

  private boolean isRefused(JobSpec job, Optional<Share> share) {
    return late == LateJobs.REFUSE
        && job.deadline().isPresent()
        && share.filter(promised -> SharePlan.meets(job, promised)).isEmpty();
  }

  private void delayUntil(JobEntry job, long start) {
    Duration wait =
        start == TimeWindow.FOREVER
            ? Duration.ofSeconds(Long.MAX_VALUE)
            : Duration.between(jobs.now(), GpuTime.instant(start));
    jobs.waitingTransitions().hold(job, wait);
  }

  /**
   * Returns the job with sizes from its share up; with that size alone if sizes follow from roles.
   */
  private JobSpec with(JobSpec job, Share share) {
    int least = share.tasks();
    if (!job.hasStatedSizes()) {
      return job.atSize(least);
    }
    Parallelism sizes = job.parallelism();
    List<Integer> allowed = sizes.allowedSizes().stream().filter(size -> size >= least).toList();
    int preferred = share.mayStartLarger() ? Math.max(sizes.preferred(), least) : least;
    List<TaskRole> roles = new ArrayList<>(job.roles());
    TaskRole first = roles.getFirst();
    roles.set(0, first.whole(preferred));
    JobSpec.Builder admitted =
        job.toBuilder().roles(roles).parallelism(new Parallelism(allowed, preferred));
    double slower = speeds().ratio(job, SpeedCurve.NONE, preferred, sizes.preferred());
    job.expectedWork().map(work -> at(work, slower)).ifPresent(admitted::expectedWork);
    return admitted.build();
  }

  /** Rescales the expected duration, which refers to the preferred size, to a new one. */
  private static ExpectedWork at(ExpectedWork work, double slower) {
    return slower == 1
        ? work
        : new ExpectedWork(
            work.duration().map(time -> GpuTime.divided(time, 1 / slower)), work.iterations());
  }

  private ExpectedSpeeds speeds() {
    return new ExpectedSpeeds(jobs.cluster().topology(), rules.predictor().orElse(null));
  }

  /** Moves promised starts forward where shares have become free, in order. */
  public void advance() {
    List<JobEntry> promised =
        jobs.delayed().inOrder().stream()
            .filter(job -> job.phase().heldUntil().isPresent())
            .toList();
    if (promised.isEmpty()) {
      return;
    }
    SharePlan plan = new SharePlan(jobs, rules);
    for (JobEntry job : promised) {
      long start = plan.earliest(job);
      if (start < GpuTime.nanos(job.phase().heldUntil().orElseThrow())) {
        plan.move(job, () -> move(job, start));
      }
    }
  }

  private void move(JobEntry job, long start) {
    delayUntil(job, Math.max(start, GpuTime.nanos(jobs.now())));
  }
}
