package io.github.liquidscheduler.simulator.slowdown;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import io.github.liquidscheduler.simulator.truth.GroundTruth;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The ground truth of co-located jobs from a table: with several co-runners the product of retained
 * speeds. Jobs of an unmeasured pair take turns.
 */
record MeasuredSlowdowns(GroundTruth alone, MeasuredJobs jobs) implements GroundTruth {

  private static final double TAKING_TURNS = 0.5;

  @Override
  public Duration work(TraceJob job) {
    return alone.work(job);
  }

  @Override
  public double rate(TraceJob job, Placement placement, ClusterTopology topology) {
    return alone.rate(job, placement, topology);
  }

  @Override
  public double retained(TraceJob job, List<TraceJob> others, GpuModel gpu) {
    double product = 1;
    for (TraceJob other : others) {
      product *= jobs.retained(gpu, job, other).orElse(TAKING_TURNS);
    }
    return product;
  }

  @Override
  public Optional<List<GpuModel>> usableModels(TraceJob job, ClusterTopology topology) {
    return alone.usableModels(job, topology);
  }
}
