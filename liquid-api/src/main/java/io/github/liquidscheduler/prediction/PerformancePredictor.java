package io.github.liquidscheduler.prediction;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.Optional;

/**
 * Predicts the speed of a job by GPU model, number of GPUs and widest level spanned. An iteration
 * is one of the batch that the job has at the size at which it was submitted, whatever its size:
 * with more GPUs each has fewer samples. Not thread-safe.
 */
public interface PerformancePredictor extends AutoCloseable {

  /**
   * Returns the throughput in iterations per second.
   *
   * @param gpu the model of all its GPUs
   * @param gpus how many of them, at least 1
   * @param widestLevel the narrowest topology level one domain of which holds all of them
   */
  Prediction throughput(JobSpec job, GpuModel gpu, int gpus, String widestLevel);

  /**
   * Learns a measured throughput.
   *
   * @throws IllegalArgumentException if {@code iterationsPerSecond} is not positive and finite
   */
  void observe(JobSpec job, GpuModel gpu, int gpus, String widestLevel, double iterationsPerSecond);

  /**
   * Returns a model of the iteration times of jobs like this at any size, where known; empty by
   * default.
   */
  default Optional<ThroughputModel> model(JobSpec job, GpuModel gpu) {
    return Optional.empty();
  }

  /**
   * Returns true if the speeds that were observed of jobs like this have left what was predicted,
   * so that such a job should be profiled again; never by default.
   */
  default boolean needsProfile(JobSpec job, GpuModel gpu) {
    return false;
  }

  /** Releases what the predictor holds outside the heap; by default there is nothing. */
  @Override
  default void close() {}
}
