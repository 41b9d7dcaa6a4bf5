package io.github.liquidscheduler.lab.reference.gavel;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * First in, first out: each job gets the GPU model with enough free GPUs on which it is fastest,
 * until the first that fits nowhere. Of equally fast models the one first by name is taken.
 */
final class FifoPerf implements SharePolicy {

  @Override
  public boolean runsOnlyShares() {
    return true;
  }

  @Override
  public double[][] shares(List<Combination> jobs, int[] gpus) {
    double[][] shares = new double[jobs.size()][gpus.length];
    int[] free = gpus.clone();
    for (int position : byNumber(jobs)) {
      Combination job = jobs.get(position);
      int fastest = fastestFree(job, free);
      if (fastest < 0) {
        break;
      }
      free[fastest] -= job.gpus();
      shares[position][fastest] = 1;
    }
    return shares;
  }

  private static int[] byNumber(List<Combination> jobs) {
    return IntStream.range(0, jobs.size())
        .boxed()
        .sorted(Comparator.comparingInt(position -> jobs.get(position).first().number()))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /** Returns the position of a GPU model, or -1 if the job fits on none. */
  private static int fastestFree(Combination job, int[] free) {
    int fastest = -1;
    for (int model = free.length - 1; model >= 0; model--) {
      if (free[model] >= job.gpus() && (fastest < 0 || job.speed(model) > job.speed(fastest))) {
        fastest = model;
      }
    }
    return fastest;
  }
}
