package io.github.liquidscheduler.scheduler.policy;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** A waiting or running job at one instant, as policies see it. */
public interface JobView {

  /** Returns the job as it was submitted. */
  JobSpec job();

  /** Returns the instant. */
  Instant now();

  /** Returns the time of submission. */
  Instant submittedAt();

  /** Returns the time of the last start, stop or submission. */
  Instant since();

  /** Returns true if the job runs, false if it waits. */
  boolean isRunning();

  /** Returns the number of GPUs held, a share counting as one; 0 while it waits. */
  int gpus();

  /** Returns the run time so far, over all runs. */
  Duration executed();

  /**
   * Returns the speed on the current GPUs relative to the predicted fastest model, in (0, 1]; 1
   * while it waits and without predictions.
   */
  default double gpuSpeed() {
    return 1;
  }

  /**
   * Returns the attained GPU time: run time times GPUs, over all runs. Where speeds are predicted,
   * it is converted to GPUs of the job's mean speed over all GPUs that it may use (HLAS). A job
   * without GPUs counts as the GPUs that it may block: per task the GPUs of its node, at least one,
   * times the larger of its fractions of the node's CPU and host memory.
   */
  Duration attained();

  /**
   * Returns the time at which a running job will have attained {@code gpuTime} in all; empty if it
   * holds nothing that counts, or beyond {@link Instant#MAX}. The answer does not depend on the
   * time of the question.
   *
   * @param gpuTime GPU time as {@link #attained} counts it, at most half the range of a duration
   */
  default Optional<Instant> attains(Duration gpuTime) {
    return gpus() == 0
        ? Optional.empty()
        : GpuTime.after(now(), GpuTime.ceilingOf(gpuTime.minus(attained()), gpus()));
  }

  /**
   * Returns the remaining run time, not negative: the last report less the time run since, else the
   * expected duration less the time run; empty if neither is known. It refers to the preferred size
   * of an elastic job and, where speeds are predicted, to its fastest GPUs, so that a start does
   * not change its rank.
   */
  Optional<Duration> remaining();

  /** Returns the number of times that the scheduler stopped the job. */
  int preemptions();

  /** Returns the policy's last state of the job; {@link PolicyState#INITIAL} at first. */
  PolicyState policyState();
}
