package io.github.liquidscheduler.scheduler.policy;

import java.util.function.ToLongFunction;

/**
 * A policy that ranks each job by a constant property of its own.
 *
 * @param rankOf the rank of a job, lowest first
 * @param allowsBypass whether jobs that fit may bypass jobs that do not
 * @param preempts whether jobs may pre-empt those of higher rank
 */
record Ranked(String name, ToLongFunction<JobView> rankOf, boolean allowsBypass, boolean preempts)
    implements SchedulingPolicy {

  @Override
  public long rank(JobView job) {
    return rankOf.applyAsLong(job);
  }
}
