package io.github.liquidscheduler.lab.reference.elastic.bound;

import io.github.liquidscheduler.simulator.elastic.ThroughputCurve;
import java.util.ArrayList;
import java.util.List;

/**
 * The least concave curve that is nowhere below a throughput curve, from no GPU to the size with
 * the highest throughput. A job whose size changes fast enough comes arbitrarily near to it, and
 * none exceeds it. Immutable.
 */
final class ConcaveHull {

  private final int[] gpus;
  private final double[] speedup;

  private ConcaveHull(int[] gpus, double[] speedup) {
    this.gpus = gpus;
    this.speedup = speedup;
  }

  /**
   * Returns the hull of {@code curve}.
   *
   * @param most the most GPUs, at least 1
   */
  static ConcaveHull of(ThroughputCurve curve, int most) {
    List<Integer> corners = new ArrayList<>(List.of(0));
    for (int size = 1; size <= Math.min(most, curve.largest()); size++) {
      if (curve.throughput(size) > curve.throughput(corners.get(corners.size() - 1))) {
        removeBelow(curve, corners, size);
        corners.add(size);
      }
    }
    return new ConcaveHull(
        corners.stream().mapToInt(Integer::intValue).toArray(),
        corners.stream().mapToDouble(curve::speedup).toArray());
  }

  /** Returns the number of corners; the first is at no GPU, the last is the fastest. */
  int corners() {
    return gpus.length;
  }

  /** Returns the GPUs of a corner. */
  int gpus(int corner) {
    return gpus[corner];
  }

  /** Returns the speed-up at a corner. */
  double speedup(int corner) {
    return speedup[corner];
  }

  /** Returns the highest speed-up. */
  double fastest() {
    return speedup[speedup.length - 1];
  }

  /** Removes the corners that lie below the line from the corner before to the next. */
  private static void removeBelow(ThroughputCurve curve, List<Integer> corners, int next) {
    while (corners.size() > 1) {
      int last = corners.get(corners.size() - 1);
      int before = corners.get(corners.size() - 2);
      if (slope(curve, before, last) > slope(curve, last, next)) {
        return;
      }
      corners.remove(corners.size() - 1);
    }
  }

  private static double slope(ThroughputCurve curve, int from, int until) {
    return (curve.speedup(until) - curve.speedup(from)) / (until - from);
  }
}
