package io.github.liquidscheduler.prediction;

import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.resource.GpuModel;

/** Predicts how fast a job runs on so many GPUs of a model, so far apart. Not thread-safe. */
public interface PerformancePredictor {

  /**
   * Returns the throughput in iterations per second.
   *
   * @param job the job
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
}
