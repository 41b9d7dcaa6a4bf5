package io.github.liquidscheduler.scheduler.policy;

import io.github.liquidscheduler.job.JobSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What a policy may know of a waiting or running job, at one instant. */
public interface JobView {

  /** Returns the job as it was submitted. */
  JobSpec job();

  /** Returns the instant. */
  Instant now();

  /** Returns when the job was submitted. */
  Instant submittedAt();

  /** Returns when the job last started, stopped or was submitted, whichever was last. */
  Instant since();

  /** Returns whether the job runs; if not, it waits. */
  boolean isRunning();

  /** Returns the GPUs it holds, a share counting as one; 0 while it waits. */
  int gpus();

  /** Returns for how long it has run, all its runs together. */
  Duration executed();

  /**
   * Returns how fast it is on the GPUs where it runs, beside those on which it is predicted to be
   * fastest: above 0 and at most 1. It is 1 while it waits, and where no speeds are predicted.
   */
  default double gpuSpeed() {
    return 1;
  }

  /**
   * Returns the GPU time it has had: running time times GPUs, all its runs together. Where speeds
   * are predicted, it is the time that would have done as much on GPUs of the mean speed that it
   * has over all GPUs that it may use (HLAS). A job that holds no GPUs counts as those that it may
   * keep from others: each task as the GPUs of its node, one at least, times the larger of the
   * shares of the node's CPU and host memory that it requests.
   */
  Duration attained();

  /**
   * Returns when a running job will have attained so much in all; empty if it holds nothing that
   * counts, or if that is later than an instant can tell. The answer does not depend on when it is
   * asked.
   *
   * @param gpuTime GPU time as {@link #attained} counts it, at most {@link GpuTime#MOST}
   */
  default Optional<Instant> attains(Duration gpuTime) {
    return gpus() == 0
        ? Optional.empty()
        : GpuTime.after(now(), GpuTime.ceilingOf(gpuTime.minus(attained()), gpus()));
  }

  /**
   * Returns for how long it will still have to run: what it last reported, less the time run since;
   * else its expected duration less the time it has run; empty if neither is known. Never negative.
   * Of an elastic job it is that at its preferred size, whatever size it has, and where speeds are
   * predicted that on the GPUs on which it is fastest, so that a start does not change its rank.
   */
  Optional<Duration> remaining();

  /** Returns how often the scheduler stopped it. */
  int preemptions();

  /** Returns what the policy last said of it; {@link PolicyState#INITIAL} at first. */
  PolicyState standing();
}
