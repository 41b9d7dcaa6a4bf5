package io.github.liquidscheduler.lab.reference.pollux;

/**
 * What became of a job.
 *
 * @param job the job as submitted
 * @param end when it ended, in seconds
 * @param gpuSeconds the GPU time it held
 * @param restarts how often its GPUs changed after its first start
 */
public record CompletedJob(GoodputJob job, long end, double gpuSeconds, int restarts) {

  /** Returns the job completion time in seconds. */
  public long completion() {
    return end - job.arrival();
  }
}
