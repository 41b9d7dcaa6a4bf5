package io.github.liquidscheduler.simulator.reference.gavel;

import java.util.Arrays;
import java.util.List;
import org.ojalgo.optimisation.Expression;
import org.ojalgo.optimisation.ExpressionsBasedModel;
import org.ojalgo.optimisation.Optimisation;
import org.ojalgo.optimisation.Variable;

/**
 * Maximizes the least normalized speed of all jobs, as a linear program: the expected speed of a
 * job, relative to what an equal part of all GPU models would give it, times its GPUs. All jobs
 * have the same weight. The optimum is unique, the shares are not.
 */
final class MaxMinFairness implements GavelPolicy {

  @Override
  public boolean runsOnlyShares() {
    return false;
  }

  @Override
  public double[][] shares(List<GavelJob> jobs, int[] gpus) {
    ExpressionsBasedModel program = new ExpressionsBasedModel();
    Variable[][] shares = new Variable[jobs.size()][gpus.length];
    Variable least = program.newVariable("least").lower(0).weight(1);
    for (int job = 0; job < shares.length; job++) {
      for (int model = 0; model < gpus.length; model++) {
        shares[job][model] = program.newVariable("share " + job + " " + model).lower(0).upper(1);
      }
      limitTime(program, shares[job]);
      raise(program, least, shares[job], jobs.get(job), gpus);
    }
    limitGpus(program, shares, jobs, gpus);
    Optimisation.Result result = program.maximise();
    if (!result.getState().isOptimal()) {
      throw new IllegalStateException("no optimum was found: " + result.getState());
    }
    return values(program, result, shares);
  }

  private static void limitTime(ExpressionsBasedModel program, Variable[] shares) {
    Expression time = program.newExpression("time of " + shares[0].getName()).upper(1);
    for (Variable share : shares) {
      time.set(share, 1);
    }
  }

  private static void raise(
      ExpressionsBasedModel program, Variable least, Variable[] shares, GavelJob job, int[] gpus) {
    double all = Arrays.stream(gpus).sum();
    double equal = 0;
    for (int model = 0; model < gpus.length; model++) {
      equal += job.speed(model) * gpus[model] / all;
    }
    Expression speed = program.newExpression("speed of " + shares[0].getName()).lower(0);
    for (int model = 0; model < gpus.length; model++) {
      speed.set(shares[model], job.speed(model) / equal * job.gpus());
    }
    speed.set(least, -1);
  }

  private static void limitGpus(
      ExpressionsBasedModel program, Variable[][] shares, List<GavelJob> jobs, int[] gpus) {
    for (int model = 0; model < gpus.length; model++) {
      Expression used = program.newExpression("gpus of model " + model).upper(gpus[model]);
      for (int job = 0; job < shares.length; job++) {
        used.set(shares[job][model], jobs.get(job).gpus());
      }
    }
  }

  private static double[][] values(
      ExpressionsBasedModel program, Optimisation.Result result, Variable[][] shares) {
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
