package io.github.liquidscheduler.lab.reference.gavel;

import java.util.List;

/**
 * Maximizes the sum of the steps per second of all jobs, or of the steps per money, as a linear
 * program. As in the original, steps of different jobs count alike.
 */
final class MostThroughput implements SharePolicy {

  private final double[] prices;

  /**
   * Makes a policy.
   *
   * @param prices what an hour of a GPU costs, by GPU model; above 0
   */
  MostThroughput(double[] prices) {
    this.prices = prices;
  }

  @Override
  public double[][] shares(List<Combination> jobs, int[] gpus) {
    ShareProgram program = new ShareProgram(jobs, gpus);
    for (int job = 0; job < jobs.size(); job++) {
      for (int model = 0; model < gpus.length; model++) {
        program.value(job, model, jobs.get(job).speed(model) / prices[model]);
      }
    }
    return program.solve();
  }
}
