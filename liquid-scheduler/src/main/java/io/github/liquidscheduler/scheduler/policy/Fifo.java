package io.github.liquidscheduler.scheduler.policy;

/**
 * First come, first served.
 *
 * @param name the name
 * @param skips whether jobs that fit overtake jobs that do not
 */
record Fifo(String name, boolean skips) implements SchedulingPolicy {

  @Override
  public long rank(JobView job) {
    return 0;
  }
}
