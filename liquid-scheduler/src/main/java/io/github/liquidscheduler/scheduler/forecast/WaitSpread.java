package io.github.liquidscheduler.scheduler.forecast;

import java.util.Arrays;

/**
 * How many seconds a job waits in the scenarios: the 5th percentile, the median and the 95th.
 *
 * @param least not negative
 * @param middle at least {@code least}
 * @param most at least {@code middle}
 */
record WaitSpread(double least, double middle, double most) {

  /** The share of scenarios outside, on each side. */
  private static final double TAIL = .05;

  /** Returns the spread of waiting times, in seconds, at least one. */
  static WaitSpread of(double[] waits) {
    double[] sorted = waits.clone();
    Arrays.sort(sorted);
    int outside = (int) Math.max(0, Math.floor(TAIL * (sorted.length + 1)) - 1);
    return new WaitSpread(
        sorted[outside], sorted[sorted.length / 2], sorted[sorted.length - 1 - outside]);
  }
}
