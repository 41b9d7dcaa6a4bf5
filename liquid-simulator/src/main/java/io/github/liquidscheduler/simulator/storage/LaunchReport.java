package io.github.liquidscheduler.simulator.storage;

/**
 * The GPU-seconds held before training, those of them after the processes had started, the bytes
 * prefetched, and those of them that no job has read so far.
 */
public record LaunchReport(
    double gpuSeconds, double readingGpuSeconds, double prefetchedBytes, double wastedBytes) {

  /** Returns the part of what was brought beforehand that no job has read; 0 if nothing was. */
  public double wasted() {
    return prefetchedBytes == 0 ? 0 : wastedBytes / prefetchedBytes;
  }
}
