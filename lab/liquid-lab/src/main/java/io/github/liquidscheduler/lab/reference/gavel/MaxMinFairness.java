package io.github.liquidscheduler.lab.reference.gavel;

import java.util.Arrays;
import java.util.List;

/**
 * Maximizes the least normalized speed of all jobs, as a linear program: the expected speed of a
 * job, relative to what an equal part of all GPU models would give it, times its GPUs. All jobs
 * have the same weight. The optimum is unique, the shares are not.
 */
final class MaxMinFairness implements SharePolicy {

  @Override
  public double[][] shares(List<Combination> jobs, int[] gpus) {
    ShareProgram program = new ShareProgram(jobs, gpus);
    for (int job = 0; job < jobs.size(); job++) {
      program.raise(job, normalized(jobs.get(job), gpus));
    }
    return program.solve();
  }

  private static double[] normalized(Combination job, int[] gpus) {
    double all = Arrays.stream(gpus).sum();
    double equal = 0;
    for (int model = 0; model < gpus.length; model++) {
      equal += job.speed(model) * gpus[model] / all;
    }
    double[] normalized = new double[gpus.length];
    for (int model = 0; model < gpus.length; model++) {
      normalized[model] = job.speed(model) / equal * job.gpus();
    }
    return normalized;
  }
}
