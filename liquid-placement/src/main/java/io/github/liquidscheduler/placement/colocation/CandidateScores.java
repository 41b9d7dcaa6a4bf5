package io.github.liquidscheduler.placement.colocation;

import java.util.Arrays;

/**
 * What a {@link ColocationPolicy} says of the candidates of one decision. Candidates of which
 * nothing is said are refused. Not thread-safe.
 */
public final class CandidateScores {

  private double[] costs = {};
  private double[] speeds = {};

  /** Makes room for {@code size} candidates, all of them refused. */
  CandidateScores(int size) {
    clear(size);
  }

  void clear(int size) {
    if (costs.length < size) {
      costs = new double[2 * size];
      speeds = new double[2 * size];
    }
    Arrays.fill(costs, 0, size, Double.POSITIVE_INFINITY);
    Arrays.fill(speeds, 0, size, 1);
  }

  /**
   * Allows a candidate.
   *
   * @param candidate its position
   * @param cost what it costs: the less, the better
   * @param speed the part of its speed alone that the candidate job is expected to keep there, more
   *     than 0; 1 if the rule does not predict
   * @throws IllegalArgumentException if the cost is not finite or the speed not positive
   */
  public void allow(int candidate, double cost, double speed) {
    if (!Double.isFinite(cost) || !(speed > 0)) {
      throw new IllegalArgumentException(
          "a candidate's cost must be finite and its speed positive, but were %s and %s"
              .formatted(cost, speed));
    }
    costs[candidate] = cost;
    speeds[candidate] = speed;
  }

  /** Refuses a candidate, whatever was said of it before. */
  public void refuse(int candidate) {
    costs[candidate] = Double.POSITIVE_INFINITY;
  }

  /** Returns whether the candidate at a position is allowed. */
  public boolean allows(int candidate) {
    return costs[candidate] < Double.POSITIVE_INFINITY;
  }

  /** Returns what the candidate costs; positive infinity if it is refused. */
  public double cost(int candidate) {
    return costs[candidate];
  }

  /** Returns the part of its speed that the candidate job is expected to keep. */
  public double speed(int candidate) {
    return speeds[candidate];
  }
}
