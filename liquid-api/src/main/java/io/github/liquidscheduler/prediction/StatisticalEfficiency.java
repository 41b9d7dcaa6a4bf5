package io.github.liquidscheduler.prediction;

/**
 * The progress per sample in a large batch, relative to the batch that the user chose: the noisier
 * the gradients, the larger batches still pay (McCandlish et al., An Empirical Model of Large-Batch
 * Training, 2018; in this form Qiao et al., Pollux, OSDI 2021, section 3.1).
 *
 * @param noiseScale the gradient noise scale in samples: the initial batch times the variance of
 *     its gradients by their squared norm; not negative, finite
 * @param initialBatch the samples of the batch that the user chose, over all GPUs, at least 1
 */
public record StatisticalEfficiency(double noiseScale, int initialBatch) {

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public StatisticalEfficiency {
    if (!(noiseScale >= 0 && noiseScale < Double.POSITIVE_INFINITY) || initialBatch < 1) {
      throw new IllegalArgumentException(
          "a noise scale must be finite and not negative and a batch at least 1, but were %s and %d"
              .formatted(noiseScale, initialBatch));
    }
  }

  /**
   * Returns the efficiency as gradients were measured.
   *
   * @param variance the variance of the gradients of {@code initialBatch} samples
   * @param squaredNorm the squared norm of their mean, positive
   * @throws IllegalArgumentException if a number is out of range
   */
  public static StatisticalEfficiency of(double variance, double squaredNorm, int initialBatch) {
    return new StatisticalEfficiency(initialBatch * (variance / squaredNorm), initialBatch);
  }

  /**
   * Returns the progress per sample, relative to a sample of the initial batch; 1 for batches that
   * are not larger than that.
   *
   * @param batch the samples of a batch over all GPUs, positive
   */
  public double at(double batch) {
    return Math.min(1, (noiseScale + initialBatch) / (noiseScale + batch));
  }
}
