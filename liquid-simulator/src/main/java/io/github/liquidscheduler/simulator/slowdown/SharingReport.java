package io.github.liquidscheduler.simulator.slowdown;

/**
 * The results of GPU sharing in a run.
 *
 * @param heldGpuSeconds the time for which GPUs were held, each counted once however many jobs it
 *     had
 * @param sharedGpuSeconds the part of it with several jobs on the GPU
 * @param jobs the number of jobs that ever had a co-runner
 * @param retainedSpeed the mean speed that jobs with co-runners retained, over their GPU time; 1 if
 *     none had any
 * @param belowFloor the fraction of the time with co-runners in which guaranteed jobs retained less
 *     than their floor; 0 if none ever had any
 * @param stopped how often a job was pre-empted because of interference
 * @param moved how often a job was migrated because of interference
 */
public record SharingReport(
    double heldGpuSeconds,
    double sharedGpuSeconds,
    int jobs,
    double retainedSpeed,
    double belowFloor,
    int stopped,
    int moved) {

  /** Returns the shared part of the time for which GPUs were held; 0 if none ever was. */
  public double shared() {
    return heldGpuSeconds == 0 ? 0 : sharedGpuSeconds / heldGpuSeconds;
  }
}
