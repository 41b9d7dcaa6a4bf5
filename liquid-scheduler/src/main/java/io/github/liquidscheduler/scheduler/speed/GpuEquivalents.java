package io.github.liquidscheduler.scheduler.speed;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.resource.CpuCores;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.time.GpuTime;
import java.time.Duration;

/**
 * The holdings of a job without GPUs, as a number of GPUs: each task counts as the GPUs of its node
 * times the larger of its fractions of the node's CPU and host memory, as Slurm's {@code MAX_TRES}
 * bills the dominant resource per node. A node without GPUs counts as one of one GPU.
 *
 * @param thousandths thousandths of a GPU, at least 0
 */
public record GpuEquivalents(int thousandths) {

  /** The value of jobs that wait or hold GPUs. */
  public static final GpuEquivalents NONE = new GpuEquivalents(0);

  /**
   * Validates the number.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public GpuEquivalents {
    if (thousandths < 0) {
      throw new IllegalArgumentException(
          "the GPUs that a job counts as must not be negative, but were "
              + thousandths
              + " thousandths");
    }
  }

  /** Returns the value of a placement; {@link #NONE} if it has GPUs. */
  public static GpuEquivalents of(Placement placement, ClusterTopology topology) {
    if (placement.gpus() > 0) {
      return NONE;
    }
    double gpus = 0;
    for (TaskPlacement task : placement.tasks()) {
      Node node = topology.node(task.node());
      gpus += Math.max(1, node.gpus().size()) * dominantShare(task.request(), node);
    }
    return new GpuEquivalents((int) Math.min(Math.round(1000 * gpus), Integer.MAX_VALUE));
  }

  private static double dominantShare(ResourceRequest request, Node node) {
    return Math.max(
        share(request.cpu().orElse(CpuCores.ZERO).millicores(), node.cpu().millicores()),
        share(request.memory().orElse(Memory.ZERO).bytes(), node.memory().bytes()));
  }

  private static double share(long requested, long all) {
    return all == 0 ? 0 : (double) requested / all;
  }

  /** Returns the GPU time attained in a run time. */
  public Duration attainedIn(Duration time) {
    return GpuTime.times(time, thousandths).dividedBy(1000);
  }

  /** Returns the least run time that attains {@code gpuTime}; {@link GpuTime#MOST} if beyond it. */
  public Duration timeFor(Duration gpuTime) {
    Duration thousandfold = GpuTime.times(gpuTime, 1000);
    return thousandths == 0 || thousandfold.equals(GpuTime.MOST)
        ? GpuTime.MOST
        : GpuTime.ceilingOf(thousandfold, thousandths);
  }
}
