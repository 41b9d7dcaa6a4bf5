package io.github.liquidscheduler.rounds.planner.bound;

import io.github.liquidscheduler.rounds.planner.RoundProblem;

/**
 * A sum of weighted ends that no plan is below.
 *
 * <p>Each GPU model gets a worth, the work that one of its GPUs does in a second. A task is as much
 * work as the model for which it is least would do in its time, so no GPU does more than its worth.
 * The middle of a task's computing then obeys what is true of one machine that has the worth of the
 * whole fleet and may interrupt jobs: the weighted sum of the jobs' mean middles is least if the
 * job of the most weight for its work goes first (Goemans, IPCO 1997). A job ends no sooner than
 * its mean middle and half of its rounds, alone on its fastest GPUs; nor than all its rounds after
 * its arrival. The weight of a job may be divided among the two, so any division gives a bound, and
 * any worths do.
 *
 * <p>Divisions are improved by subgradients, worths by trying neighbours: both in a fixed number of
 * steps, each of which costs {@code O(n log n)} for {@code n} jobs. Rejected: an LP with the same
 * optimum, which needs a library and hundreds of constraints.
 */
final class WorkBound {

  private static final int PASSES = 2;
  private static final int SUBGRADIENTS = 40;
  private static final double[] FACTORS = {2, 1.25, 1.08, 1.02};
  private static final int STEPS_OF_A_FACTOR = 4;

  private final JobFloors floors;
  private final double[] worths;

  /** The weight of each job that counts for its mean middle; what is left counts for it alone. */
  private double[] shared;

  private double best;

  private WorkBound(RoundProblem problem) {
    floors = JobFloors.of(problem);
    worths = floors.equalWorths();
    shared = floors.weights().clone();
    best = Math.max(floors.alone(), value(shared));
  }

  static double of(RoundProblem problem) {
    WorkBound bound = new WorkBound(problem);
    for (int pass = 0; pass < PASSES; pass++) {
      bound.improveWorths();
      bound.improveDivision();
    }
    return bound.best;
  }

  private double value(double[] division) {
    return floors.bound(worths, division, floors.meanMiddles(worths, division));
  }

  private void improveWorths() {
    double here = value(shared);
    for (double factor : FACTORS) {
      for (int model = 0; model < worths.length; model++) {
        here = climb(model, factor, here);
        here = climb(model, 1 / factor, here);
      }
    }
    best = Math.max(best, here);
  }

  private double climb(int model, double factor, double from) {
    double here = from;
    for (int step = 0; step < STEPS_OF_A_FACTOR; step++) {
      double before = worths[model];
      worths[model] = before * factor;
      double next = value(shared);
      if (!(next > here)) {
        worths[model] = before;
        return here;
      }
      here = next;
    }
    return here;
  }

  private void improveDivision() {
    double[] weights = floors.weights();
    double[] division = shared.clone();
    for (int step = 0; step < SUBGRADIENTS; step++) {
      double[] middles = floors.meanMiddles(worths, division);
      double value = floors.bound(worths, division, middles);
      if (value > best) {
        best = value;
        shared = division.clone();
      }
      double[] slopes = floors.slopes(middles);
      double steepest = 0;
      for (double slope : slopes) {
        steepest = Math.max(steepest, Math.abs(slope));
      }
      if (steepest == 0) {
        return;
      }
      double length = 1 / (1 + step / 3.0) / steepest;
      for (int job = 0; job < division.length; job++) {
        double moved = division[job] + length * weights[job] * slopes[job];
        division[job] = Math.min(weights[job], Math.max(0, moved));
      }
    }
  }
}
