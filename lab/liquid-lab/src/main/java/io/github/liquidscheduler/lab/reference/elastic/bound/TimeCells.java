package io.github.liquidscheduler.lab.reference.elastic.bound;

import java.util.Arrays;
import java.util.stream.DoubleStream;

/** Time in cells: each begins where the one before ends. Immutable. */
final class TimeCells {

  private final double[] boundaries;

  private TimeCells(double[] boundaries) {
    this.boundaries = boundaries;
  }

  /** Returns the cells between the given times, of which there are at least two, in any order. */
  static TimeCells between(DoubleStream times) {
    return new TimeCells(times.sorted().distinct().toArray());
  }

  int count() {
    return boundaries.length - 1;
  }

  double start(int cell) {
    return boundaries[cell];
  }

  double end(int cell) {
    return boundaries[cell + 1];
  }

  double seconds(int cell) {
    return boundaries[cell + 1] - boundaries[cell];
  }

  /**
   * Returns the cell that begins at a time.
   *
   * @throws IllegalArgumentException if none does
   */
  int startingAt(double time) {
    int cell = Arrays.binarySearch(boundaries, time);
    if (cell < 0 || cell >= count()) {
      throw new IllegalArgumentException("a cell must begin at " + time + " s, but none does");
    }
    return cell;
  }
}
