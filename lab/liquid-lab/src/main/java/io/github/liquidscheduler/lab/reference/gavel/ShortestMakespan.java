package io.github.liquidscheduler.lab.reference.gavel;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Lets the last of the present jobs end as early as can be, as a linear program: each job does the
 * same fraction of its remaining steps per second, and that fraction is as large as can be. The
 * original seeks it by bisection, to 5 %.
 */
final class ShortestMakespan implements SharePolicy {

  @Override
  public double[][] shares(List<Combination> jobs, int[] gpus) {
    ShareProgram program = new ShareProgram(jobs, gpus);
    double longest = jobs.stream().mapToDouble(ShortestMakespan::seconds).max().orElse(1);
    for (int job = 0; job < jobs.size(); job++) {
      Combination each = jobs.get(job);
      double perSecond = longest / each.first().remaining();
      program.raise(
          job,
          IntStream.range(0, gpus.length).mapToDouble(m -> each.speed(m) * perSecond).toArray());
    }
    return program.solve();
  }

  /** Returns the seconds that a job needs on the GPU model on which it is fastest. */
  private static double seconds(Combination job) {
    return job.first().remaining() / job.first().fastest();
  }
}
