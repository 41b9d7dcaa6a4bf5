package io.github.liquidscheduler.lab.reference.pollux.application;

/**
 * Statistics of a job's gradients at its initial batch size, from which the statistical efficiency
 * of other batch sizes follows.
 *
 * @param squared the squared norm of the gradient
 * @param variance the variance of its estimate
 */
public record GradientNoise(double squared, double variance) {

  /**
   * Returns the progress of one step in steps of the initial batch size.
   *
   * @param scale the batch size as a multiple of the initial one
   */
  public double gain(double scale) {
    double noise = variance / scale + squared;
    return noise > 0 ? (variance + squared) / noise : 1;
  }
}
