package io.github.liquidscheduler.lab.reference.gavel;

import java.util.Arrays;
import java.util.List;
import org.ojalgo.optimisation.Expression;
import org.ojalgo.optimisation.ExpressionsBasedModel;
import org.ojalgo.optimisation.Optimisation;
import org.ojalgo.optimisation.Variable;

/**
 * A linear program over the shares of time of jobs on GPU models: no job has more than all its
 * time, no GPU model more jobs than GPUs. What is maximized is added to it.
 *
 * <p>Of several best shares the solver's order of variables and constraints decides, which is by
 * name.
 */
final class ShareProgram {

  private final ExpressionsBasedModel program = new ExpressionsBasedModel();
  private final List<Combination> jobs;
  private final int[] gpus;
  private final Variable number;
  private final Variable[][] shares;

  ShareProgram(List<Combination> jobs, int[] gpus) {
    this.jobs = jobs;
    this.gpus = gpus;
    this.number = program.newVariable("least").lower(0);
    this.shares = new Variable[jobs.size()][gpus.length];
    for (int job = 0; job < shares.length; job++) {
      for (int model = 0; model < gpus.length; model++) {
        shares[job][model] = program.newVariable("share " + job + " " + model).lower(0).upper(1);
      }
      limitTime(shares[job]);
    }
    limitGpus();
  }

  private void limitTime(Variable[] ofJob) {
    Expression time = program.newExpression("time of " + ofJob[0].getName()).upper(1);
    for (Variable share : ofJob) {
      time.set(share, 1);
    }
  }

  private void limitGpus() {
    for (int model = 0; model < gpus.length; model++) {
      Expression used = program.newExpression("gpus of model " + model).upper(gpus[model]);
      for (int job = 0; job < shares.length; job++) {
        used.set(shares[job][model], jobs.get(job).gpus());
      }
    }
  }

  /** Adds to the objective what a job is worth on a GPU model for all the time. */
  void value(int job, int model, double value) {
    shares[job][model].weight(value);
  }

  /**
   * Makes a number as large as can be that is no larger than any job's sum of shares, times {@code
   * worth} by GPU model.
   */
  void raise(int job, double[] worth) {
    Expression sum = program.newExpression("speed of " + shares[job][0].getName()).lower(0);
    for (int model = 0; model < gpus.length; model++) {
      sum.set(shares[job][model], worth[model]);
    }
    sum.set(number.weight(1), -1);
  }

  /** Returns the best shares, by job and GPU model. */
  double[][] solve() {
    Optimisation.Result result = program.maximise();
    if (!result.getState().isOptimal()) {
      throw new IllegalStateException("no optimum was found: " + result.getState());
    }
    return Arrays.stream(shares)
        .map(
            ofJob ->
                Arrays.stream(ofJob)
                    .mapToDouble(share -> result.doubleValue(program.indexOf(share)))
                    .map(share -> Math.clamp(share, 0, 1))
                    .toArray())
        .toArray(double[][]::new);
  }
}
