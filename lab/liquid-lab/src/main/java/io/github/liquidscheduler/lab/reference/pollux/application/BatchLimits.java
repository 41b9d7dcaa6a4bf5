package io.github.liquidscheduler.lab.reference.pollux.application;

/**
 * The batch sizes of an application.
 *
 * @param initial the smallest batch size, to which progress and efficiency refer
 * @param largest the largest batch size at which it still learns
 * @param smallestLocal the smallest batch size of one GPU that is worth computing
 * @param largestLocal the largest batch size that fits into the memory of one GPU
 */
public record BatchLimits(int initial, int largest, int smallestLocal, int largestLocal) {

  /** Sizes that differ by less are equal; division does not always come out even. */
  private static final double TOLERANCE = 1e-8;

  /**
   * Returns how {@code gpus} GPUs divide a batch. What does not fit is accumulated. One GPU
   * accumulates every batch above the initial one, since a single gradient tells nothing of its
   * variance.
   */
  public LocalBatch divided(int batch, int gpus) {
    int local = roundedUp((double) batch / gpus);
    int accumulations = roundedUp((double) local / largestLocal) - 1;
    if (gpus == 1 && batch > initial) {
      accumulations = Math.max(1, accumulations);
    }
    return capped(local, accumulations, gpus);
  }

  /** Returns a batch divided evenly on each GPU, and no larger than the largest. */
  public LocalBatch capped(int local, int accumulations, int gpus) {
    int size = roundedUp((double) local / (accumulations + 1));
    return new LocalBatch(Math.min(size, largest / (gpus * (accumulations + 1))), accumulations);
  }

  /** Returns the most GPUs on which each computes at least the smallest local batch. */
  public int mostGpus(int batch) {
    return batch / smallestLocal;
  }

  /** Returns the least whole number that is not less than {@code size}, but for rounding errors. */
  public static int roundedUp(double size) {
    return (int) Math.ceil(size - TOLERANCE);
  }
}
