package io.github.liquidscheduler.simulator.metrics;

import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;
import java.util.Objects;

/**
 * The outcome of a finished job. Times are counted from the start of the trace.
 *
 * @param job the job
 * @param firstStart the first start
 * @param end the end
 * @param running the time that it held its GPUs, all runs together
 * @param preemptions how often it was stopped before it was done
 */
public record JobOutcome(
    TraceJob job, Duration firstStart, Duration end, Duration running, int preemptions) {

  /**
   * Checks the order of events.
   *
   * @throws IllegalArgumentException if the job started before its submission, ended before its
   *     start, ran longer than that, or {@code preemptions} is negative
   */
  public JobOutcome {
    Objects.requireNonNull(job, "job");
    requireOrder("submit and first start", job, job.submit(), firstStart);
    requireOrder("first start and end", job, firstStart, end);
    requireOrder(
        "running time and the time between start and end", job, running, end.minus(firstStart));
    if (preemptions < 0) {
      throw new IllegalArgumentException(
          "preemptions must not be negative, but were " + preemptions + ", for " + job);
    }
  }

  /** Returns the job completion time (JCT): from submission to end. */
  public Duration completion() {
    return end.minus(job.submit());
  }

  /** Returns the time without running, before its first start and while stopped. */
  public Duration queueing() {
    return completion().minus(running);
  }

  private static void requireOrder(String what, TraceJob job, Duration first, Duration second) {
    if (first.isNegative() || first.compareTo(second) > 0) {
      throw new IllegalArgumentException(
          "%s must be in this order and not negative, but were %s and %s, for %s"
              .formatted(what, first, second, job));
    }
  }
}
