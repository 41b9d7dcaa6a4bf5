package io.github.liquidscheduler.scheduler.policy;

import io.github.liquidscheduler.scheduler.time.GpuTime;
import io.github.liquidscheduler.scheduling.Failure;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * Exponential back-off of failing jobs. After its first crash a job restarts at once and keeps its
 * turn, since the cause may be transient. A start that was not carried out, and each further
 * failure in a row, waits: {@code first}, then {@code factor} times longer each time, up to {@code
 * most}. A run longer than {@code most}, or an update of the job, ends the row. The defaults are
 * those of Kubernetes pods, but no job is given up.
 *
 * @param first the first delay, not negative
 * @param factor the growth per further failure, 1 to 1,000
 * @param most the longest delay, at least {@code first}
 * @param failures the number of failures in a row after which the job is given up, at least 1
 */
public record RetryBackoff(Duration first, double factor, Duration most, int failures) {

  /** 10 s, doubling with each failure up to 6 min; no job is given up. */
  public static final RetryBackoff DEFAULT =
      new RetryBackoff(Duration.ofSeconds(10), 2, Duration.ofMinutes(6), Integer.MAX_VALUE);

  /** No delay, however often a job has failed. */
  public static final RetryBackoff NONE =
      new RetryBackoff(Duration.ZERO, 1, Duration.ZERO, Integer.MAX_VALUE);

  /**
   * Validates the parts.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public RetryBackoff {
    if (first.isNegative() || most.compareTo(first) < 0) {
      throw new IllegalArgumentException(
          "the first back-off must be at least 0 and at most the longest, but was %s, the longest %s"
              .formatted(first, most));
    }
    if (!(factor >= 1 && factor <= 1000)) {
      throw new IllegalArgumentException(
          "the factor of a back-off must be in [1, 1000], but was " + factor);
    }
    if (failures < 1) {
      throw new IllegalArgumentException(
          "a job must be given up after at least 1 failure, but was after " + failures);
    }
  }

  /**
   * Returns this back-off with a number of failures in a row after which a job is given up; none by
   * default.
   */
  public RetryBackoff givingUpAfter(int failuresInARow) {
    return new RetryBackoff(first, factor, most, failuresInARow);
  }

  /**
   * Returns the delay after a failure.
   *
   * @param failuresInARow the number of failures in a row, at least 1
   */
  public Duration after(int failuresInARow, Failure last) {
    int steps = last == Failure.NOT_STARTED ? failuresInARow : failuresInARow - 1;
    if (steps == 0) {
      return Duration.ZERO;
    }
    double seconds = GpuTime.seconds(first) * Math.pow(factor, steps - 1.0);
    return seconds < most.toSeconds() ? Duration.ofMillis(Math.round(seconds * 1000)) : most;
  }

  /** Returns the parts by name. */
  public Map<String, String> parameters() {
    Map<String, String> parameters = new TreeMap<>();
    parameters.put("first", first.toString());
    parameters.put("factor", Double.toString(factor));
    parameters.put("most", most.toString());
    parameters.put("failures", Integer.toString(failures));
    return parameters;
  }
}
