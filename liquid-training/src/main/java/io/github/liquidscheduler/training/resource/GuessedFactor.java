package io.github.liquidscheduler.training.resource;

import io.github.liquidscheduler.estimator.task.prior.TaskFacts;

/**
 * The factor by which the guesses of the analytic memory must have been off, all together, for a
 * measurement: the nonconformity score of intervals that are nested as that factor grows (Gupta,
 * Kuchibhotla, Ramdas, "Nested conformal prediction and quantile out-of-bag ensemble methods",
 * 2022). Unlike the plain error it is the same thing for a task that consists of weights, for one
 * of activations, and for a pool that doubles; and it is 1 where what the task does not say
 * explains the difference.
 */
final class GuessedFactor {
  private static final double MOST = 6;
  private static final double PRECISION = 1e-6;

  private GuessedFactor() {}

  /**
   * Returns the logarithm of the factor; where none explains it, or there is no analytic memory,
   * {@code residual}, that of truth over prediction.
   */
  static double of(TaskFacts facts, double residual) {
    double prior = facts.priorMemory();
    if (!facts.hasPrior() || !(prior > 0)) {
      return residual;
    }
    double side = Math.signum(residual);
    double truth = prior * Math.exp(residual);
    if (reaches(facts, truth, side, 0)) {
      return 0;
    }
    return reaches(facts, truth, side, MOST) ? side * least(facts, truth, side) : residual;
  }

  private static double least(TaskFacts facts, double truth, double side) {
    double out = 0;
    double in = MOST;
    while (in - out > PRECISION) {
      double middle = (in + out) / 2;
      if (reaches(facts, truth, side, middle)) {
        in = middle;
      } else {
        out = middle;
      }
    }
    return in;
  }

  private static boolean reaches(TaskFacts facts, double truth, double side, double distance) {
    return side > 0
        ? facts.mostMemory(Math.exp(distance)) >= truth
        : facts.leastMemory(Math.exp(-distance)) <= truth;
  }
}
