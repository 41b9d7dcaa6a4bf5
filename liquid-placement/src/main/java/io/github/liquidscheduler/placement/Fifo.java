package io.github.liquidscheduler.placement;

/**
 * First come, first served.
 *
 * @param name the name
 * @param skips whether jobs that fit overtake jobs that do not
 */
record Fifo(String name, boolean skips) implements QueuePolicy {

  @Override
  public long rank(JobView job) {
    return 0;
  }
}
