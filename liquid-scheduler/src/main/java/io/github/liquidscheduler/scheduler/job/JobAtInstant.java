package io.github.liquidscheduler.scheduler.job;

import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduler.policy.JobView;
import io.github.liquidscheduler.scheduler.policy.PolicyState;
import io.github.liquidscheduler.scheduler.speed.Pace;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A waiting or running job at one instant. One that is starting or launching has not run yet.
 *
 * @param entry the job
 * @param now the instant
 */
public record JobAtInstant(JobEntry entry, Instant now) implements JobView {

  @Override
  public JobSpec job() {
    return entry.job();
  }

  @Override
  public Instant submittedAt() {
    return history().submittedAt();
  }

  @Override
  public Instant since() {
    return history().since();
  }

  @Override
  public boolean isRunning() {
    return entry.isRunning();
  }

  @Override
  public int gpus() {
    return entry.gpus();
  }

  @Override
  public Duration executed() {
    return entry.hasBegun() ? history().executed().plus(runSince(since())) : history().executed();
  }

  @Override
  public double gpuSpeed() {
    return entry.speed().gpu();
  }

  @Override
  public Duration attained() {
    if (!entry.hasBegun()) {
      return history().attained();
    }
    Duration run = runSince(history().sizedAt());
    return GpuTime.sum(
        history().attained(),
        gpus() == 0
            ? entry.speed().withoutGpus().attainedIn(run)
            : GpuTime.times(pace().onMeanGpus(run), gpus()));
  }

  @Override
  public Optional<Instant> attains(Duration gpuTime) {
    if (!entry.hasBegun()) {
      return Optional.empty();
    }
    Duration more = gpuTime.minus(history().attained());
    Duration run =
        gpus() == 0
            ? entry.speed().withoutGpus().timeFor(more)
            : pace().leastOnItsGpus(GpuTime.ceilingOf(more, gpus()));
    return GpuTime.after(history().sizedAt(), run);
  }

  /** Returns the progress as run time on the fastest GPUs. */
  Duration progressed() {
    return entry.hasBegun()
        ? GpuTime.sum(history().progressed(), onFastestGpus(history().sizedAt()))
        : history().progressed();
  }

  private Duration onFastestGpus(Instant from) {
    return pace().onFastestGpus(runSince(from));
  }

  /**
   * Returns the progress as run time at the preferred size on the fastest GPUs, the unit of its
   * expected duration.
   */
  public Duration worked() {
    return entry.hasBegun()
        ? GpuTime.sum(history().worked(), pace().atPreferredSize(runSince(history().sizedAt())))
        : history().worked();
  }

  @Override
  public Optional<Duration> remaining() {
    @Nullable Duration reported = history().remaining();
    if (reported == null) {
      return job()
          .expectedWork()
          .flatMap(ExpectedWork::duration)
          .map(expected -> less(expected, progressed()));
    }
    boolean reportedInThisRun = history().remainingAt().isAfter(since());
    Instant from = reportedInThisRun ? history().remainingAt() : since();
    return Optional.of(entry.hasBegun() ? less(reported, onFastestGpus(from)) : reported);
  }

  /**
   * Returns the remaining time on the present GPUs and at the present size, assuming linear
   * speed-up if nothing was reported. Not for ranks, which a start must not change.
   */
  public Optional<Duration> timeLeft() {
    return history().remaining() != null
        ? remaining().map(pace()::onItsGpus)
        : job().expectedWork().flatMap(ExpectedWork::duration).map(this::timeLeft);
  }

  /** Returns the remaining time if the job's total work were {@code work}. */
  public Duration timeLeft(Duration work) {
    return pace().atItsSize(less(work, worked()));
  }

  @Override
  public int preemptions() {
    return history().preemptions();
  }

  @Override
  public PolicyState policyState() {
    return entry.policyState();
  }

  private Pace pace() {
    return entry.speed().pace(entry);
  }

  private JobHistory history() {
    return entry.history();
  }

  private Duration runSince(Instant from) {
    return Duration.between(from, now);
  }

  private static Duration less(Duration time, Duration spent) {
    return time.compareTo(spent) <= 0 ? Duration.ZERO : time.minus(spent);
  }
}
