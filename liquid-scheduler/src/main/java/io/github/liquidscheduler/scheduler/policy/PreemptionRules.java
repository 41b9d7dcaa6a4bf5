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
 * @param movesPerHour how many are so moved within an hour at most, not negative
 * @param movePause how long a job stands still when it moves, not negative: others are moved for a
 *     job once its GPUs have waited for as long as theirs would stand still together
 * @param restAfterMove how long a job stays where it was moved to, not negative
 */
public record PreemptionRules(
    Duration minRunTime,
    int mostPreemptions,
    Duration gracePeriod,
    int mostMoves,
    int movesPerHour,
    Duration movePause,
    Duration restAfterMove) {

  /** Jobs may be pre-empted at any time and as often as the policy wants, and stop at once. */
  public static final PreemptionRules NONE =
      new PreemptionRules(
          Duration.ZERO,
          Integer.MAX_VALUE,
          Duration.ZERO,
          0,
          Integer.MAX_VALUE,
          Duration.ZERO,
          Duration.ZERO);

  /**
   * Checks the parts.
   *
   * @throws IllegalArgumentException if one is negative
   */
  public PreemptionRules {
    if (minRunTime.isNegative()
        || gracePeriod.isNegative()
        || mostPreemptions < 0
        || mostMoves < 0
        || movesPerHour < 0
        || movePause.isNegative()
        || restAfterMove.isNegative()) {
      throw new IllegalArgumentException(
          "no rule of pre-emption must be negative, but were run time %s, pre-emptions %d, grace period %s, moves %d, moves per hour %d, pause %s, rest %s"
              .formatted(
                  minRunTime,
                  mostPreemptions,
                  gracePeriod,
                  mostMoves,
                  movesPerHour,
                  movePause,
                  restAfterMove));
    }
  }

  /** Returns these rules with a time that a job runs at least before it is pre-empted. */
  public PreemptionRules minRunTime(Duration time) {
    return new PreemptionRules(
        time, mostPreemptions, gracePeriod, mostMoves, movesPerHour, movePause, restAfterMove);
  }

  /** Returns these rules with a number of times that a job is pre-empted at most. */
  public PreemptionRules mostPreemptions(int times) {
    return new PreemptionRules(
        minRunTime, times, gracePeriod, mostMoves, movesPerHour, movePause, restAfterMove);
  }

  /** Returns these rules with a time that a pre-empted job may take to stop. */
  public PreemptionRules gracePeriod(Duration time) {
    return new PreemptionRules(
        minRunTime, mostPreemptions, time, mostMoves, movesPerHour, movePause, restAfterMove);
  }

  /**
   * Returns these rules with a number of running jobs that are moved at most so that one that waits
   * fits (consolidation). All that move may be pre-empted, have run long enough, and get another
   * place in the same decision; who has to leave for good moves as well where it can.
   */
  public PreemptionRules moving(int jobs) {
    return new PreemptionRules(
        minRunTime, mostPreemptions, gracePeriod, jobs, movesPerHour, movePause, restAfterMove);
  }

  /** Returns these rules with a number of running jobs that are moved within an hour at most. */
  public PreemptionRules movesPerHour(int moves) {
    return new PreemptionRules(
        minRunTime, mostPreemptions, gracePeriod, mostMoves, moves, movePause, restAfterMove);
  }

  /**
   * Returns these rules with how long a job stands still when it moves. Others are moved for a job
   * once it has waited for so long that its GPUs could have done what theirs would not while they
   * stand still; of a job that would have to leave otherwise moving costs less in any case.
   */
  public PreemptionRules movePause(Duration pause) {
    return new PreemptionRules(
        minRunTime, mostPreemptions, gracePeriod, mostMoves, movesPerHour, pause, restAfterMove);
  }

  /** Returns these rules with how long a job stays where it was moved to. */
  public PreemptionRules restAfterMove(Duration time) {
    return new PreemptionRules(
        minRunTime, mostPreemptions, gracePeriod, mostMoves, movesPerHour, movePause, time);
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
    if (movesPerHour < Integer.MAX_VALUE) {
      parameters.put("movesPerHour", Integer.toString(movesPerHour));
    }
    if (!movePause.isZero()) {
      parameters.put("movePause", movePause.toString());
    }
    if (!restAfterMove.isZero()) {
      parameters.put("restAfterMove", restAfterMove.toString());
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
          Integer.parseInt(parameters.getOrDefault("mostMoves", "0")),
          Integer.parseInt(
              parameters.getOrDefault("movesPerHour", Integer.toString(Integer.MAX_VALUE))),
          Duration.parse(parameters.getOrDefault("movePause", "PT0S")),
          Duration.parse(parameters.getOrDefault("restAfterMove", "PT0S")));
    } catch (DateTimeParseException | NumberFormatException e) {
      throw new IllegalArgumentException(
          "rules of pre-emption must have the times 'minRunTime' and 'gracePeriod' and the numbers"
              + " 'mostPreemptions' and, if jobs move, 'mostMoves', but had "
              + parameters,
          e);
    }
  }
}
