package io.github.liquidscheduler.simulator.storage;

/**
 * What launches came to, and what was brought before them.
 *
 * @param gpuSeconds GPU-seconds for which jobs held GPUs and did not train yet: they started their
 *     processes and read
 * @param readingGpuSeconds those of them after their processes had started
 * @param prefetchedBytes bytes that were brought beforehand
 * @param wastedBytes those of them that no job has read so far
 */
public record LaunchReport(
    double gpuSeconds, double readingGpuSeconds, double prefetchedBytes, double wastedBytes) {

  /** Returns the part of what was brought beforehand that no job has read; 0 if nothing was. */
  public double wasted() {
    return prefetchedBytes == 0 ? 0 : wastedBytes / prefetchedBytes;
  }
}
