package io.github.liquidscheduler.rounds.planner;

import java.util.Arrays;

/** The times at which a GPU idles long enough, in order; the last gap has no end. Mutable. */
final class IdleGaps {

  private final double shortest;
  private double[] starts = new double[8];
  private double[] ends = new double[8];
  private int count = 1;

  /** Makes a GPU that idles; no task computes for less than {@code shortest}. */
  IdleGaps(double shortest) {
    this.shortest = shortest;
    ends[0] = Double.POSITIVE_INFINITY;
  }

  /** Makes it idle from a time on. */
  void begin(double from) {
    count = 1;
    starts[0] = from;
    ends[0] = Double.POSITIVE_INFINITY;
  }

  /** Returns when the last gap begins, after all that the GPU was given. */
  double available() {
    return starts[count - 1];
  }

  /**
   * Returns the earliest time from {@code from} on at which it idles for so long; infinity if that
   * would end after {@code latest}.
   */
  double firstFit(double from, double length, double latest) {
    if (from + length > latest) {
      return Double.POSITIVE_INFINITY;
    }
    int gap = firstEndingAfter(from);
    double start = Math.max(from, starts[gap]);
    while (start + length > ends[gap] && start + length <= latest) {
      gap++;
      start = starts[gap];
    }
    return start + length <= latest ? start : Double.POSITIVE_INFINITY;
  }

  /** Takes a time at which it idles. */
  void take(double from, double to) {
    int gap = firstEndingAfter(from);
    double end = ends[gap];
    boolean idleBefore = starts[gap] + shortest <= from;
    boolean idleAfter = to + shortest <= end;
    if (idleBefore && idleAfter) {
      insertAfter(gap);
      starts[gap + 1] = to;
      ends[gap + 1] = end;
      ends[gap] = from;
    } else if (idleBefore) {
      ends[gap] = from;
    } else if (idleAfter) {
      starts[gap] = to;
    } else {
      remove(gap);
    }
  }

  private int firstEndingAfter(double time) {
    int found = Arrays.binarySearch(ends, 0, count, time);
    return found >= 0 ? found + 1 : -1 - found;
  }

  private void insertAfter(int gap) {
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, 2 * count);
      ends = Arrays.copyOf(ends, 2 * count);
    }
    System.arraycopy(starts, gap, starts, gap + 1, count - gap);
    System.arraycopy(ends, gap, ends, gap + 1, count - gap);
    count++;
  }

  private void remove(int gap) {
    count--;
    System.arraycopy(starts, gap + 1, starts, gap, count - gap);
    System.arraycopy(ends, gap + 1, ends, gap, count - gap);
  }
}
