package io.github.liquidscheduler.simulator.usage;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.simulator.trace.TraceJob;
import io.github.liquidscheduler.simulator.truth.GroundTruth;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The ground truth of speed by usage: a job with less CPU than it uses is slower in proportion, and
 * so are co-runners that together need more than all the time of their GPU. Each co-runner costs
 * another 5 %.
 */
public final class SharedSpeed implements GroundTruth {

  private static final double RETAINED_BESIDE_ANOTHER = 0.95;

  private final GroundTruth alone;
  private final TrueUsage truth;

  private SharedSpeed(GroundTruth alone, TrueUsage truth) {
    this.alone = Objects.requireNonNull(alone, "alone");
    this.truth = Objects.requireNonNull(truth, "truth");
  }

  /** Returns the speed of jobs whose exclusive speed is that of {@code alone}. */
  public static SharedSpeed of(GroundTruth alone, TrueUsage truth) {
    return new SharedSpeed(alone, truth);
  }

  @Override
  public Duration work(TraceJob job) {
    return alone.work(job);
  }

  @Override
  public double rate(TraceJob job, Placement placement, ClusterTopology topology) {
    double used = truth.of(job).cpu().millicores();
    double least = 1;
    for (TaskPlacement task : placement.tasks()) {
      double granted = task.request().cpu().map(cpu -> (double) cpu.millicores()).orElse(used);
      least = Math.min(least, granted / used);
    }
    return least * alone.rate(job, placement, topology);
  }

  @Override
  public double retained(TraceJob job, List<TraceJob> others, GpuModel gpu) {
    double busy = truth.of(job).gpuUtilization();
    for (TraceJob other : others) {
      busy += truth.of(other).gpuUtilization();
    }
    return StrictMath.pow(RETAINED_BESIDE_ANOTHER, others.size()) / Math.max(1, busy);
  }

  @Override
  public Optional<List<GpuModel>> usableModels(TraceJob job, ClusterTopology topology) {
    return alone.usableModels(job, topology);
  }
}
