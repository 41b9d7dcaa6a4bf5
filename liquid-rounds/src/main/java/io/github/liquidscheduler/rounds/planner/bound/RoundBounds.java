package io.github.liquidscheduler.rounds.planner.bound;

import io.github.liquidscheduler.rounds.planner.RoundProblem;
import io.github.liquidscheduler.rounds.planner.TaskTime;
import java.util.function.ToDoubleFunction;

/**
 * What is known of the best plan without finding it.
 *
 * @param alpha how many times as long the same task takes on one GPU as on another, at most, in
 *     computing or in synchronizing; at least 1
 * @param weightedEnd a sum of weighted ends, in seconds, that no plan is below
 */
public record RoundBounds(double alpha, double weightedEnd) {

  /** Returns the bounds of a problem. */
  public static RoundBounds of(RoundProblem problem) {
    double alpha = 1;
    for (int job = 0; job < problem.jobs().size(); job++) {
      TaskTime[] times = problem.times(job);
      alpha = Math.max(alpha, ratio(times, TaskTime::compute));
      alpha = Math.max(alpha, ratio(times, TaskTime::synchronize));
    }
    return new RoundBounds(alpha, WorkBound.of(problem));
  }

  /**
   * Returns how many times the best sum of weighted ends a plan of Algorithm 1 comes to at most, on
   * the order of the relaxation (Hare, HPDC'22, theorem 1).
   */
  public double factor() {
    return alpha * (2 + alpha);
  }

  private static double ratio(TaskTime[] times, ToDoubleFunction<TaskTime> of) {
    double least = Double.POSITIVE_INFINITY;
    double most = 0;
    for (TaskTime time : times) {
      least = Math.min(least, of.applyAsDouble(time));
      most = Math.max(most, of.applyAsDouble(time));
    }
    return most == 0 ? 1 : most / least;
  }
}
