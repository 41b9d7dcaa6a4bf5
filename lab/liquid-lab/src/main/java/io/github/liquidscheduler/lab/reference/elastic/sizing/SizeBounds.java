package io.github.liquidscheduler.lab.reference.elastic.sizing;

import io.github.liquidscheduler.simulator.elastic.ThroughputCurve;

/**
 * The sizes that a job may have.
 *
 * @param least the fewest GPUs on which it runs, at least 1
 * @param most the size at which it grows no further
 * @param measuredOnly whether it may only have sizes that were measured
 */
public record SizeBounds(int least, int most, boolean measuredOnly) {

  /**
   * Checks the least size.
   *
   * @throws IllegalArgumentException if {@code least} is less than 1
   */
  public SizeBounds {
    if (least < 1) {
      throw new IllegalArgumentException("a least size must be at least 1, but was " + least);
    }
  }

  /** Returns bounds within which every size is allowed. */
  public static SizeBounds of(int least, int most) {
    return new SizeBounds(least, most, false);
  }

  /** Returns the next larger size of a job with this curve, or {@code gpus} if there is none. */
  int next(ThroughputCurve curve, int gpus) {
    if (gpus == 0) {
      return least;
    }
    if (gpus >= most) {
      return gpus;
    }
    int next = measuredOnly ? curve.measuredFrom(gpus + 1) : gpus + 1;
    return next <= most ? next : gpus;
  }
}
