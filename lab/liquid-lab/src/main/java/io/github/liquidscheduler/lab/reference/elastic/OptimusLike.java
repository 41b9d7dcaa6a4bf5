package io.github.liquidscheduler.lab.reference.elastic;

import io.github.liquidscheduler.lab.reference.elastic.sizing.GainSpread;
import io.github.liquidscheduler.lab.reference.elastic.sizing.TimeGain;
import java.util.List;

/** Every GPU goes to the job whose end it brings nearest, after each has its minimum (Optimus). */
public final class OptimusLike implements ElasticPolicy {

  @Override
  public String name() {
    return "optimus";
  }

  @Override
  public JobOrder newOrder() {
    return SortedOrder.byArrival();
  }

  @Override
  public int[] sizes(List<ElasticJobState> jobs, int gpus, double now) {
    int[] sizes = new int[jobs.size()];
    GainSpread.spread(jobs.stream().map(OptimusLike::candidate).toList(), sizes, gpus, 0);
    return sizes;
  }

  private static TimeGain candidate(ElasticJobState job) {
    return new TimeGain(job.curve(), MarginalGain.bounds(job, false), job.left());
  }
}
