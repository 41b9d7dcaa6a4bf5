package io.github.liquidscheduler.scheduler.policy;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * Limits on pre-emption and on moves of running jobs for others. By default jobs are unprotected,
 * stop at once and are not moved.
 *
 * <p>{@link #minRunTime} and {@link #mostPreemptions} keep a job from being restarted over and
 * over. Neither holds where the job cannot stay: on a lost or draining node, beside a job that it
 * slows too much, or on what is promised to a job with a deadline.
 *
 * @param minRunTime the run time before a job may be pre-empted, not negative
 * @param mostPreemptions the maximum number of pre-emptions of a job, not negative
 * @param gracePeriod the time that a pre-empted job may take to stop, such as for a checkpoint, not
 *     negative; it waits meanwhile and restarts only once reported as stopped or the time is over
 * @param mostMoves the maximum number of running jobs moved so that one waiting job fits, not
 *     negative; 0 disables moves
 * @param movesPerHour the maximum number of such moves within an hour, not negative
 * @param movePause the pause of a moving job, not negative: jobs are moved for another once its
 *     GPUs have waited for the sum of their pauses
 * @param restAfterMove the time that a moved job stays in place, not negative
 */
public record PreemptionRules(
    Duration minRunTime,
    int mostPreemptions,
    Duration gracePeriod,
    int mostMoves,
    int movesPerHour,
    Duration movePause,
    Duration restAfterMove) {

  /** No protection and no grace period; jobs are not moved. */
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
   * Validates the parts.
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

  /** Returns these rules with a run time before a job may be pre-empted; zero by default. */
  public PreemptionRules minRunTime(Duration time) {
    return new PreemptionRules(
        time, mostPreemptions, gracePeriod, mostMoves, movesPerHour, movePause, restAfterMove);
  }

  /** Returns these rules with a maximum number of pre-emptions per job; unlimited by default. */
  public PreemptionRules mostPreemptions(int times) {
    return new PreemptionRules(
        minRunTime, times, gracePeriod, mostMoves, movesPerHour, movePause, restAfterMove);
  }

  /** Returns these rules with a grace period for pre-empted jobs to stop; zero by default. */
  public PreemptionRules gracePeriod(Duration time) {
    return new PreemptionRules(
        minRunTime, mostPreemptions, time, mostMoves, movesPerHour, movePause, restAfterMove);
  }

  /**
   * Returns these rules with a maximum number of running jobs moved so that a waiting one fits
   * (consolidation); 0 by default. Moved jobs are pre-emptible, have run long enough, and get their
   * new place in the same decision; victims also move rather than stop where they can.
   */
  public PreemptionRules moving(int jobs) {
    return new PreemptionRules(
        minRunTime, mostPreemptions, gracePeriod, jobs, movesPerHour, movePause, restAfterMove);
  }

  /** Returns these rules with a maximum number of moves per hour; unlimited by default. */
  public PreemptionRules movesPerHour(int moves) {
    return new PreemptionRules(
        minRunTime, mostPreemptions, gracePeriod, mostMoves, moves, movePause, restAfterMove);
  }

  /**
   * Returns these rules with the pause of a moving job; zero by default. Jobs are moved for another
   * once its GPUs have waited for the sum of their pauses; moving a job that would otherwise be
   * stopped always costs less.
   */
  public PreemptionRules movePause(Duration pause) {
    return new PreemptionRules(
        minRunTime, mostPreemptions, gracePeriod, mostMoves, movesPerHour, pause, restAfterMove);
  }

  /** Returns these rules with the time that a moved job stays in place; zero by default. */
  public PreemptionRules restAfterMove(Duration time) {
    return new PreemptionRules(
        minRunTime, mostPreemptions, gracePeriod, mostMoves, movesPerHour, movePause, time);
  }

  /** Returns the rules by name. */
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
}
