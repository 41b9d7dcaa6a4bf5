package io.github.liquidscheduler.lab.reference.fgd;

/**
 * What a node is worth to a pod.
 *
 * @param value a whole number from 0, the larger the better
 * @param gpu the GPU of which it gets a share, if it asks for one
 */
record PodScore(long value, int gpu) {

  /** Returns a score, rounded down as in the original. */
  static PodScore of(double value, int gpu) {
    return new PodScore((long) value, gpu);
  }
}
