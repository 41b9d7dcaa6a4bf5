package io.github.liquidscheduler.lab.reference.elastic;

import io.github.liquidscheduler.lab.reference.elastic.sizing.GainSpread;
import io.github.liquidscheduler.lab.reference.elastic.sizing.SizeBounds;
import io.github.liquidscheduler.lab.reference.elastic.sizing.SpeedupGain;
import io.github.liquidscheduler.simulator.elastic.ElasticJob;
import java.util.List;

/**
 * Every GPU goes to the job whose speed-up it raises most.
 *
 * @param leastGain a gain must be more than this
 * @param measuredOnly whether jobs may only have measured sizes
 */
public record MarginalGain(double leastGain, boolean measuredOnly) implements ElasticPolicy {

  @Override
  public String name() {
    return "marginal";
  }

  @Override
  public JobOrder newOrder() {
    return SortedOrder.byArrival();
  }

  @Override
  public int[] sizes(List<ElasticJobState> jobs, int gpus, double now) {
    int[] sizes = new int[jobs.size()];
    GainSpread.spread(jobs.stream().map(this::candidate).toList(), sizes, gpus, leastGain);
    return sizes;
  }

  private SpeedupGain candidate(ElasticJobState job) {
    return new SpeedupGain(job.curve(), bounds(job, measuredOnly));
  }

  /** Returns the user's bounds, cut at the peak of the curve. */
  static SizeBounds bounds(ElasticJobState job, boolean measuredOnly) {
    ElasticJob.Sizes sizes = job.job().sizes();
    int least = measuredOnly ? job.curve().measuredFrom(sizes.minimum()) : sizes.minimum();
    return new SizeBounds(least, Math.min(sizes.maximum(), job.curve().peak()), measuredOnly);
  }
}
