package io.github.liquidscheduler.scheduler.share;

/**
 * One queue's claim to a divided resource, in units handed out whole.
 *
 * @param guaranteed the amount served before anything else is divided, if wanted; infinite for all
 * @param limit the most that it may have
 * @param weight its weight in the division of the rest, at least 0
 * @param priority queues of higher priority are satisfied before others in the division of the rest
 * @param requested the amount that its jobs hold and request
 * @param usage the fraction of the resource that it used of late, 0 or more; 0 if that does not
 *     count
 */
public record Claim(
    double guaranteed, double limit, double weight, int priority, double requested, double usage) {

  /** Returns the amount that the queue would take if unlimited. */
  public double wanted() {
    return Math.min(limit, requested);
  }
}
