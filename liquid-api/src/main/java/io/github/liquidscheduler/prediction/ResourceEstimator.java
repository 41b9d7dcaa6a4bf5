package io.github.liquidscheduler.prediction;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.job.TaskRole;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;

/**
 * Predicts what a job needs from what it is, before it runs (Liquid, section 2). It never fails for
 * want of knowledge: what it does not know it answers with a documented default and says so. Not
 * thread-safe.
 */
public interface ResourceEstimator {

  /** Returns the expected needs of one task of the role on a GPU of this model. */
  ResourceEstimate estimate(JobSpec job, TaskRole role, GpuModel gpu);

  /**
   * Learns what a task of the role was measured to use on a GPU of this model. Only runs during
   * which nobody shared the GPUs tell the truth.
   */
  void observe(JobSpec job, TaskRole role, GpuModel gpu, ResourceUsage usage);

  /**
   * Learns that a task of the role ran out of device memory with {@code granted}; no later estimate
   * for such a job asks for as little again.
   */
  void observeOutOfMemory(JobSpec job, TaskRole role, GpuModel gpu, Memory granted);
}
