package io.github.liquidscheduler.simulator.storage;

/**
 * The cost of launches, and the data prefetched before them.
 *
 * @param gpuSeconds GPU-seconds held before training: starting processes and reading
 * @param readingGpuSeconds those of them after the processes had started
 * @param prefetchedBytes prefetched bytes
 * @param wastedBytes those of them that no job has read so far
 */
public record LaunchReport(
    double gpuSeconds, double readingGpuSeconds, double prefetchedBytes, double wastedBytes) {

  /** Returns the part of what was brought beforehand that no job has read; 0 if nothing was. */
  public double wasted() {
    return prefetchedBytes == 0 ? 0 : wastedBytes / prefetchedBytes;
  }
}
