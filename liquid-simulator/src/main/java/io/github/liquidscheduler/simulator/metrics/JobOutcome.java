package io.github.liquidscheduler.simulator.metrics;

import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;
import java.util.Objects;

/**
 * What became of a finished job. Times are counted from the start of the trace, as its submission
 * is.
 *
 * @param job the job
 * @param firstStart when it first ran
 * @param end when it finished
 * @param running how long it held its GPUs between the two, all runs together
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

  /** Returns how long the job existed without running, before its first start and while stopped. */
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
