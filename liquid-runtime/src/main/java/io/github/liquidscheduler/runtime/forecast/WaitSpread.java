package io.github.liquidscheduler.runtime.forecast;

import java.util.Arrays;

/**
 * The waiting time over the scenarios, in seconds: 5th percentile, median and 95th percentile.
 *
 * @param least not negative
 * @param middle at least {@code least}
 * @param most at least {@code middle}
 */
record WaitSpread(double least, double middle, double most) {

  /** The fraction of scenarios outside, per side. */
  private static final double TAIL = .05;

  /** Returns the spread of at least one waiting time, in seconds. */
  static WaitSpread of(double[] waits) {
    double[] sorted = waits.clone();
    Arrays.sort(sorted);
    int outside = (int) Math.max(0, Math.floor(TAIL * (sorted.length + 1)) - 1);
    return new WaitSpread(
        sorted[outside], sorted[sorted.length / 2], sorted[sorted.length - 1 - outside]);
  }
}
