package io.github.liquidscheduler.scheduler.state;

import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.placement.gang.PlacementRules;
import io.github.liquidscheduler.scheduler.job.JobEntry;
import io.github.liquidscheduler.scheduler.job.Sighting;
import io.github.liquidscheduler.scheduler.policy.JobView;
import io.github.liquidscheduler.scheduler.queue.JobTable;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rejects saved jobs that no scheduler can have had. */
final class JobCheck {

  private final SchedulerState state;
  private final Set<Long> sequences = new HashSet<>();

  JobCheck(SchedulerState state) {
    this.state = state;
  }

  /**
   * Checks a job before it is restored.
   *
   * @throws IllegalArgumentException if it contradicts itself or the jobs before it
   */
  void require(JobEntry job, boolean runs) {
    requireNew(state, job.id());
    state.jobs().queues().require(job.job());
    require(
        job.isRunning() == runs,
        "a running job must have a placement and a waiting one none",
        job.placement().map(Placement::toString).orElse("none"),
        job);
    long submissions = state.jobs().submissions();
    require(
        job.sequence() < submissions && sequences.add(job.sequence()),
        "a job's sequence must be its own, and below the " + submissions + " submissions",
        job.sequence(),
        job);
    requireTimes(job);
    job.placement().ifPresent(placement -> requirePlacement(job, placement));
  }

  /**
   * Checks that a job's id is new.
   *
   * @throws IllegalArgumentException if it is not
   */
  static void requireNew(SchedulerState state, JobId job) {
    JobTable jobs = state.jobs();
    if (jobs.find(job) != null || jobs.ended().ending(job).isPresent()) {
      throw new IllegalArgumentException(
          "a snapshot must name each job once, but named '" + job + "' twice");
    }
  }

  /**
   * Checks that those leave for which a restored job waits; else it would wait for ever.
   *
   * @throws IllegalArgumentException if one does not
   */
  void requireLeaving(JobEntry job) {
    for (JobId other : job.phase().after()) {
      @Nullable JobEntry found = state.jobs().find(other);
      require(
          found != null && found.phase().leaving().isPresent(),
          "a job must wait for jobs that are leaving",
          other,
          job);
    }
  }

  private void requireTimes(JobEntry job) {
    Instant sizedAt = job.history().sizedAt();
    JobView then = job.at(sizedAt);
    require(
        !then.submittedAt().isAfter(job.since()) && !job.since().isAfter(state.jobs().now()),
        "a job's last change must lie between its submission and " + state.jobs().now(),
        job.since(),
        job);
    require(
        !sizedAt.isBefore(job.since()) && !sizedAt.isAfter(state.jobs().now()),
        "a job's size must have changed since it started, " + job.since(),
        sizedAt,
        job);
    require(
        then.policyState().forgiven().compareTo(then.attained()) <= 0,
        "no more of a job's time must be forgiven than it attained, " + then.attained(),
        then.policyState().forgiven(),
        job);
  }

  private void requirePlacement(JobEntry job, Placement placement) {
    PlacementRules rules = new PlacementRules(state.cluster().topology(), job.job());
    require(
        placement.job().equals(job.id()) && rules.isWhole(placement),
        "a running job's placement must be of all its tasks, each with what it requests",
        placement,
        job);
    rules
        .brokenBy(placement)
        .filter(rule -> job.history().sighting() == Sighting.NONE || !isThere(placement))
        .ifPresent(
            rule -> {
              throw new IllegalArgumentException(
                  "a running job must be where it may run, but %s, for %s"
                      .formatted(rule, placement));
            });
  }

  private boolean isThere(Placement placement) {
    return placement.nodes().stream().allMatch(state.cluster().topology()::contains)
        && placement.gpuIds().allMatch(state.cluster().topology()::contains);
  }

  private static void require(boolean holds, String rule, Object value, JobEntry job) {
    if (!holds) {
      throw new IllegalArgumentException(
          "%s, but was %s, for job '%s'".formatted(rule, value, job.id()));
    }
  }
}
