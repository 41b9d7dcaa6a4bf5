package io.github.liquidscheduler.scheduler.policy;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * What protects running jobs from policies that pre-empt, and how long a pre-empted job may take to
 * stop. By default nothing protects them, and they stop at once.
 *
 * <p>A job that is started over and over never gets far: {@link #minRunTime} and {@link
 * #mostPreemptions} bound that. Neither holds where the job cannot stay: on a node that is lost or
 * has to be empty, or beside a job that it slows too much.
 *
 * @param minRunTime how long a job runs at least before it is pre-empted, not negative
 * @param mostPreemptions how often a job is pre-empted at most, not negative
 * @param gracePeriod how long a pre-empted job may take to stop, such as to save a checkpoint, not
 *     negative; it waits meanwhile, and is not started again before it is reported as stopped or
 *     the time is over
 * @param mostMoves how many running jobs are moved elsewhere at most so that one that waits fits,
 *     not negative; with 0 none is ever moved for another
 */
public record PreemptionRules(
    Duration minRunTime, int mostPreemptions, Duration gracePeriod, int mostMoves) {

  /** Jobs may be pre-empted at any time and as often as the policy wants, and stop at once. */
  public static final PreemptionRules NONE =
      new PreemptionRules(Duration.ZERO, Integer.MAX_VALUE, Duration.ZERO, 0);

  /**
   * Checks the parts.
   *
   * @throws IllegalArgumentException if one is negative
   */
  public PreemptionRules {
    if (minRunTime.isNegative()
        || gracePeriod.isNegative()
        || mostPreemptions < 0
        || mostMoves < 0) {
      throw new IllegalArgumentException(
          "no rule of pre-emption must be negative, but were run time %s, pre-emptions %d, grace period %s, moves %d"
              .formatted(minRunTime, mostPreemptions, gracePeriod, mostMoves));
    }
  }

  /** Returns these rules with a time that a job runs at least before it is pre-empted. */
  public PreemptionRules minRunTime(Duration time) {
    return new PreemptionRules(time, mostPreemptions, gracePeriod, mostMoves);
  }

  /** Returns these rules with a number of times that a job is pre-empted at most. */
  public PreemptionRules mostPreemptions(int times) {
    return new PreemptionRules(minRunTime, times, gracePeriod, mostMoves);
  }

  /** Returns these rules with a time that a pre-empted job may take to stop. */
  public PreemptionRules gracePeriod(Duration time) {
    return new PreemptionRules(minRunTime, mostPreemptions, time, mostMoves);
  }

  /**
   * Returns these rules with a number of running jobs that are moved at most so that one that waits
   * fits (consolidation). All that move may be pre-empted, have run long enough, and get another
   * place in the same decision; who has to leave for good moves as well where it can.
   */
  public PreemptionRules moving(int jobs) {
    return new PreemptionRules(minRunTime, mostPreemptions, gracePeriod, jobs);
  }

  /** Returns what decides, by name. */
  public Map<String, String> parameters() {
    Map<String, String> parameters = new TreeMap<>();
    parameters.put("minRunTime", minRunTime.toString());
    parameters.put("mostPreemptions", Integer.toString(mostPreemptions));
    parameters.put("gracePeriod", gracePeriod.toString());
    if (mostMoves > 0) {
      parameters.put("mostMoves", Integer.toString(mostMoves));
    }
    return parameters;
  }

  /**
   * Returns the rules of {@link #parameters()}.
   *
   * @throws IllegalArgumentException if one is missing or out of range
   */
  public static PreemptionRules from(Map<String, String> parameters) {
    try {
      return new PreemptionRules(
          Duration.parse(Objects.requireNonNullElse(parameters.get("minRunTime"), "")),
          Integer.parseInt(Objects.requireNonNullElse(parameters.get("mostPreemptions"), "")),
          Duration.parse(Objects.requireNonNullElse(parameters.get("gracePeriod"), "")),
          Integer.parseInt(parameters.getOrDefault("mostMoves", "0")));
    } catch (DateTimeParseException | NumberFormatException e) {
      throw new IllegalArgumentException(
          "rules of pre-emption must have the times 'minRunTime' and 'gracePeriod' and the numbers"
              + " 'mostPreemptions' and, if jobs move, 'mostMoves', but had "
              + parameters,
          e);
    }
  }
}
