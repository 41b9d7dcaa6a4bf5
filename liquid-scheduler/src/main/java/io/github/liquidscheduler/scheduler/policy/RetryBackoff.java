package io.github.liquidscheduler.scheduler.policy;

import io.github.liquidscheduler.scheduling.Failure;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.TreeMap;

/**
 * How long a job that fails again and again is kept from being started. A job that crashed once is
 * started again at once: what failed may not last, and so the job keeps its turn. A start that was
 * not carried out would only fail again, so that one waits, and so does every further failure in a
 * row: {@code first}, then each time {@code factor} times as long, up to {@code most}. A run that
 * lasts longer than {@code most}, and an update of the job, end the row. The defaults are those of
 * pods in Kubernetes, but no job is given up.
 *
 * @param first the first back-off, not negative
 * @param factor by how much it grows with each further failure, 1 to 1,000
 * @param most the longest time, at least {@code first}
 * @param failures after how many failures in a row the job is given up, at least 1
 */
public record RetryBackoff(Duration first, double factor, Duration most, int failures) {

  /** 10 s, twice as long after each failure, at most 6 min; no job is given up. */
  public static final RetryBackoff DEFAULT =
      new RetryBackoff(Duration.ofSeconds(10), 2, Duration.ofMinutes(6), Integer.MAX_VALUE);

  /** A job may be started again at once, however often it has failed. */
  public static final RetryBackoff NONE =
      new RetryBackoff(Duration.ZERO, 1, Duration.ZERO, Integer.MAX_VALUE);

  /**
   * Checks the parts.
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

  /** Returns this back-off, but a job is given up after so many failures in a row. */
  public RetryBackoff givingUpAfter(int failuresInARow) {
    return new RetryBackoff(first, factor, most, failuresInARow);
  }

  /**
   * Returns how long a job waits that has failed.
   *
   * @param failuresInARow how many times in a row, at least 1
   * @param last how it failed the last time
   */
  public Duration after(int failuresInARow, Failure last) {
    int steps = last == Failure.NOT_STARTED ? failuresInARow : failuresInARow - 1;
    if (steps == 0) {
      return Duration.ZERO;
    }
    double seconds = first.toMillis() / 1000.0 * Math.pow(factor, steps - 1.0);
    return seconds < most.toSeconds() ? Duration.ofMillis(Math.round(seconds * 1000)) : most;
  }

  /**
   * Returns the back-off of {@link #parameters()}.
   *
   * @throws IllegalArgumentException if one is missing or out of range
   */
  public static RetryBackoff from(Map<String, String> parameters) {
    try {
      return new RetryBackoff(
          Duration.parse(parameters.getOrDefault("first", "")),
          Double.parseDouble(parameters.getOrDefault("factor", "")),
          Duration.parse(parameters.getOrDefault("most", "")),
          Integer.parseInt(parameters.getOrDefault("failures", "")));
    } catch (DateTimeParseException | NumberFormatException e) {
      throw new IllegalArgumentException(
          "a back-off must have the times 'first' and 'most' and the numbers 'factor' and"
              + " 'failures', but had "
              + parameters,
          e);
    }
  }

  /** Returns what decides, by name. */
  public Map<String, String> parameters() {
    Map<String, String> parameters = new TreeMap<>();
    parameters.put("first", first.toString());
    parameters.put("factor", Double.toString(factor));
    parameters.put("most", most.toString());
    parameters.put("failures", Integer.toString(failures));
    return parameters;
  }
}
