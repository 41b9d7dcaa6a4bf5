package io.github.liquidscheduler.micrometer;

import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How long jobs waited and took to begin, and how far their run times were from what was expected.
 * Judged are jobs that ran once, at the size they asked for: of others it is not known what they
 * were slowed by. Jobs that were adopted are not judged.
 */
final class JobTimes {

  /** What is remembered of a job that is not over: little, for there may be many. */
  private static final class JobTime {
    private final Instant submitted;
    private @Nullable Instant started;
    private @Nullable Instant decided;
    private @Nullable Duration expected;

    JobTime(Instant submitted) {
      this.submitted = submitted;
    }
  }

  private final Map<JobId, JobTime> jobs = new HashMap<>();
  private final Consumer<Duration> waits;
  private final Consumer<Duration> launches;
  private final BiConsumer<Duration, Duration> runs;

  /**
   * Tells the times from submission to first start, those from the decision to start a job to its
   * begin, and the expected and measured run times.
   */
  JobTimes(
      Consumer<Duration> waits, Consumer<Duration> launches, BiConsumer<Duration, Duration> runs) {
    this.waits = waits;
    this.launches = launches;
    this.runs = runs;
  }

  void hear(ClusterEvent event, List<Decision> decisions, Scheduler scheduler) {
    event.events().forEach(this::hear);
    decisions.forEach(decision -> hear(decision, event.at(), scheduler));
  }

  private void hear(ClusterEvent event) {
    switch (event) {
      case ClusterEvent.JobSubmitted submitted ->
          jobs.put(
              submitted.job(), new JobTime(submitted.spec().submittedAt().orElse(submitted.at())));
      case ClusterEvent.JobAdopted adopted -> jobs.remove(adopted.job());
      case ClusterEvent.JobStarted started -> begun(started);
      case ClusterEvent.JobFinished finished -> finished(finished);
      case ClusterEvent.JobFailed failed when failed.retry().again() -> interrupted(failed.job());
      case ClusterEvent.JobFailed failed -> jobs.remove(failed.job());
      case ClusterEvent.JobCancelled cancelled -> jobs.remove(cancelled.job());
      default -> {}
    }
  }

  private void hear(Decision decision, Instant at, Scheduler scheduler) {
    switch (decision) {
      case Decision.Start start -> started(start, at, scheduler);
      case Decision.Preempt preempt -> interrupted(preempt.job());
      case Decision.Resize resize -> interrupted(resize.job());
      case Decision.Migrate migrate -> interrupted(migrate.job());
      case Decision.Reject reject -> jobs.remove(reject.job());
      default -> {}
    }
  }

  private void started(Decision.Start start, Instant at, Scheduler scheduler) {
    @Nullable JobTime job = jobs.get(start.job());
    if (job == null) {
      return;
    }
    job.decided = at;
    if (job.started != null) {
      return;
    }
    job.started = at;
    job.expected = scheduler.job(start.job()).flatMap(spec -> expected(spec, start)).orElse(null);
    waits.accept(Duration.between(job.submitted, at));
  }

  /** Counts the run time of a job from when it has begun, not from when its start was decided. */
  private void begun(ClusterEvent.JobStarted event) {
    @Nullable JobTime job = jobs.get(event.job());
    if (job != null && job.decided != null) {
      launches.accept(Duration.between(job.decided, event.at()));
      job.decided = null;
    }
    if (job != null && job.expected != null) {
      job.started = event.at();
    }
  }

  private static Optional<Duration> expected(JobSpec spec, Decision.Start start) {
    return start.placement().tasks().size() == spec.tasks()
        ? spec.expectedWork().flatMap(ExpectedWork::duration)
        : Optional.empty();
  }

  private void interrupted(JobId id) {
    @Nullable JobTime job = jobs.get(id);
    if (job != null) {
      job.expected = null;
    }
  }

  private void finished(ClusterEvent.JobFinished event) {
    @Nullable JobTime job = jobs.remove(event.job());
    if (job != null && job.started != null && job.expected != null) {
      runs.accept(job.expected, Duration.between(job.started, event.at()));
    }
  }
}
