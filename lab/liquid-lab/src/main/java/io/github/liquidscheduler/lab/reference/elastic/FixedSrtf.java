package io.github.liquidscheduler.lab.reference.elastic;

import static java.util.Comparator.comparingDouble;

import io.github.liquidscheduler.simulator.elastic.ElasticJob;
import java.util.List;

/** The shortest remaining time first, with submitted sizes. */
public final class FixedSrtf implements ElasticPolicy {

  @Override
  public String name() {
    return "srtf";
  }

  @Override
  public JobOrder newOrder() {
    return SortedOrder.by(comparingDouble(job -> job.left() / submittedThroughput(job.job())));
  }

  private static double submittedThroughput(ElasticJob job) {
    return job.work().curve().throughput(job.sizes().submitted());
  }

  @Override
  public int[] sizes(List<ElasticJobState> jobs, int gpus, double now) {
    return SubmittedSizes.fill(jobs, gpus);
  }
}
