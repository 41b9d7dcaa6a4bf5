package io.github.liquidscheduler.scheduler.policy;

/**
 * First come, first served.
 *
 * @param name the name
 * @param allowsBypass whether jobs that fit may bypass jobs that do not
 */
record Fifo(String name, boolean allowsBypass) implements SchedulingPolicy {

  @Override
  public long rank(JobView job) {
    return 0;
  }
}
