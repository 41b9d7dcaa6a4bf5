package io.github.liquidscheduler.scheduler.share;

/**
 * What one queue claims of a resource that is divided, in units of which whole ones are handed out.
 *
 * @param guaranteed what comes to it before anything else is divided, if it wants it; infinite if
 *     that is all there is
 * @param limit what it may have at most
 * @param weight its weight when what is left over is divided, at least 0
 * @param priority queues of higher priority have all they want of what is left over before others
 * @param requested what its jobs hold and ask for
 * @param usage which part of all there was it has used of late, 0 or more; 0 if that does not count
 */
public record Claim(
    double guaranteed, double limit, double weight, int priority, double requested, double usage) {

  /** Returns what the queue would take if there were enough. */
  public double wanted() {
    return Math.min(limit, requested);
  }
}
