package io.github.liquidscheduler.planner.problem;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.placement.capacity.GpuPool;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.util.Map;

/**
 * The loss of a job by running on the GPUs of a pool. Where its speeds are known, that is by how
 * much longer it runs than on its fastest model: running twice as long counts as a preference
 * violated, so that fast GPUs go to those who gain most by them. Else it is how far back the model
 * stands in the job's list.
 *
 * @param job the job
 * @param speeds how fast it is on GPU models, the fastest 1; empty if that is not known
 */
record PoolLoss(JobSpec job, Map<GpuModel, Double> speeds) {

  /** As much as a preference violated, of which all losses are parts. */
  static final int PREFERENCE = 100;

  /** A hundred times as long counts as much as any longer time. */
  private static final double SLOWEST = .01;

  /** Returns the loss; {@link Gang#FORBIDDEN} if the job may not run there. */
  int on(GpuPool pool) {
    if (!isLargeEnough(pool) || pool.model().isEmpty()) {
      return Gang.FORBIDDEN;
    }
    GpuModel model = pool.model().get();
    int rank = job.gpuModels().indexOf(model);
    if (rank < 0 && !job.gpuModels().isEmpty()) {
      return Gang.FORBIDDEN;
    }
    if (speeds.isEmpty()) {
      return PREFERENCE * Math.max(0, rank);
    }
    double slowest = speeds.values().stream().mapToDouble(Double::doubleValue).min().orElse(1);
    return loss(speeds.getOrDefault(model, slowest));
  }

  private static int loss(double speed) {
    return (int) Math.round(PREFERENCE * (1 / Math.max(SLOWEST, speed) - 1));
  }

  private boolean isLargeEnough(GpuPool pool) {
    return job.roles().stream()
        .filter(role -> role.request().gpus() > 0)
        .allMatch(
            role ->
                role.request().gpus() <= pool.maxFree()
                    && role.request().gpuMemory().orElse(Memory.ZERO).compareTo(pool.memory())
                        <= 0);
  }
}
