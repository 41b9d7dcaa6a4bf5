package io.github.liquidscheduler.simulator.truth;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * A ground truth of which the scheduler knows on which GPU models jobs can run, but not on which
 * they are faster: each job names them in an order that is drawn.
 */
public record UnorderedModels(GroundTruth truth, long seed) implements GroundTruth {

  @Override
  public Duration work(TraceJob job) {
    return truth.work(job);
  }

  @Override
  public double rate(TraceJob job, Placement placement, ClusterTopology topology) {
    return truth.rate(job, placement, topology);
  }

  @Override
  public double retained(TraceJob job, List<TraceJob> others, GpuModel gpu) {
    return truth.retained(job, others, gpu);
  }

  @Override
  public boolean fit(List<TraceJob> jobs, GpuModel gpu) {
    return truth.fit(jobs, gpu);
  }

  @Override
  public Optional<List<GpuModel>> usableModels(TraceJob job, ClusterTopology topology) {
    return truth.usableModels(job, topology).map(models -> shuffled(models, job));
  }

  private List<GpuModel> shuffled(List<GpuModel> models, TraceJob job) {
    List<GpuModel> drawn = new ArrayList<>(models);
    // Unlike those of Random, its draws are not alike for seeds that are.
    Collections.shuffle(drawn, new SplittableRandom(31 * seed + job.id().hashCode()));
    return drawn;
  }
}
