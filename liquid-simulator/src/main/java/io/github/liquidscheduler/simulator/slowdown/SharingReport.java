package io.github.liquidscheduler.simulator.slowdown;

/**
 * What sharing GPUs came to in a run.
 *
 * @param heldGpuSeconds the time for which GPUs were held, each counted once however many jobs it
 *     had
 * @param sharedGpuSeconds the part of it with several jobs on the GPU
 * @param jobs how many jobs ever had a co-runner
 * @param retainedSpeed what jobs retained of their speed while they had co-runners, on average over
 *     their GPU time; 1 if none ever had
 * @param belowFloor the part of the time in which guaranteed jobs had co-runners and retained less
 *     than their floor; 0 if none ever had
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
