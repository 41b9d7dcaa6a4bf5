package io.github.liquidscheduler.scheduler.policy;

import io.github.liquidscheduler.job.ExpectedWork;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import java.time.Duration;
import java.util.Optional;

/**
 * The shortest job first: by expected duration, by remaining time, or by area, which is duration
 * times GPUs.
 *
 * @param preempts whether the remaining time counts and longer jobs may be pre-empted
 * @param isByArea whether the time is multiplied by GPUs
 */
record ShortestFirst(String name, boolean preempts, boolean isByArea) implements SchedulingPolicy {

  private static final long LONGEST_KNOWN = Long.MAX_VALUE - 1;

  @Override
  public long rank(JobView job) {
    Optional<Duration> time =
        preempts ? job.remaining() : job.job().expectedWork().flatMap(ExpectedWork::duration);
    return time.map(known -> rank(GpuTime.nanos(known), job.job().gpus())).orElse(Long.MAX_VALUE);
  }

  private long rank(long nanos, int gpus) {
    boolean isTooMuch = gpus > 0 && nanos > LONGEST_KNOWN / gpus;
    return !isByArea ? nanos : isTooMuch ? LONGEST_KNOWN : nanos * gpus;
  }

  @Override
  public boolean allowsBypass() {
    return true;
  }

  @Override
  public boolean isRemainingTime() {
    return preempts;
  }
}
