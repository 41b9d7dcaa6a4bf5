package io.github.liquidscheduler.rounds.planner;

/**
 * The seconds for which a task computes on a GPU, positive and finite, and for which it
 * synchronizes then, at least 0 and finite, while the GPU is free.
 */
public record TaskTime(double compute, double synchronize) {

  /**
   * Checks the times.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public TaskTime {
    if (!(compute > 0 && compute < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "a task must compute for more than 0 s, but for " + compute);
    }
    if (!(synchronize >= 0 && synchronize < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "a task must synchronize for at least 0 s, but for " + synchronize);
    }
  }

  /** Returns the seconds from its start until it has synchronized. */
  public double whole() {
    return compute + synchronize;
  }
}
