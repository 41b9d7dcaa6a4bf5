package io.github.liquidscheduler.scheduler.policy;

import io.github.liquidscheduler.job.ExpectedWork;
import java.time.Duration;
import java.util.Optional;

/**
 * The shortest job first: by its whole expected duration, or by what remains of it.
 *
 * @param name the name
 * @param preempts whether the remaining time counts, and longer jobs make room
 */
record ShortestFirst(String name, boolean preempts) implements SchedulingPolicy {

  @Override
  public long rank(JobView job) {
    Optional<Duration> time =
        preempts ? job.remaining() : job.job().expectedWork().flatMap(ExpectedWork::duration);
    return time.map(GpuTime::nanos).orElse(Long.MAX_VALUE);
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
