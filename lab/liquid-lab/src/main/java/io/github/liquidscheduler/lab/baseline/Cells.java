package io.github.liquidscheduler.lab.baseline;

import io.github.liquidscheduler.cluster.Node;
import java.util.Arrays;
import java.util.BitSet;

/**
 * How many buddy cells there are of each size, a power of two. A cell may be split into two of half
 * its size. Mutable.
 */
public final class Cells {

  private static final int SIZES = Integer.numberOfTrailingZeros(Node.MAX_GPUS) + 1;

  private final int[] counts = new int[SIZES];

  /** Returns the smallest size of a cell that holds as many GPUs. */
  static int sizeFor(int gpus) {
    return gpus <= 1 ? 1 : Integer.highestOneBit(gpus - 1) * 2;
  }

  /** Adds cells of a size. */
  public void add(int size, int count) {
    counts[Integer.numberOfTrailingZeros(size)] += count;
  }

  /** Returns the GPUs of those of these cells that {@code supply} cannot provide. */
  public long missingFrom(Cells supply) {
    long missing = 0;
    int left = 0;
    for (int size = SIZES - 1; size >= 0; size--) {
      int available = supply.counts[size] + 2 * left;
      int provided = Math.min(available, counts[size]);
      missing += (long) (counts[size] - provided) << size;
      left = available - provided;
    }
    return missing;
  }

  /** Adds the largest cells that are wholly free on a node of so many GPUs. */
  public void addFree(BitSet free, int gpus) {
    addFree(free, 0, sizeFor(gpus));
  }

  private void addFree(BitSet free, int first, int size) {
    if (free.nextClearBit(first) >= first + size) {
      add(size, 1);
    } else if (size > 1 && free.get(first, first + size).cardinality() > 0) {
      addFree(free, first, size / 2);
      addFree(free, first + size / 2, size / 2);
    }
  }

  @Override
  public String toString() {
    return "cells of 1, 2, 4, … GPUs: " + Arrays.toString(counts);
  }
}
