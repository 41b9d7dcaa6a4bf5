package io.github.liquidscheduler.placement.eviction;

import java.util.Arrays;

/**
 * The smallest task request of each of some jobs, in their order: adjacent numbers, so that
 * thousands of jobs are skipped without a look at their objects. Not thread-safe.
 */
public final class LeastRequests {

  private static final int GPUS = 0;
  private static final int SHARE = 1;
  private static final int CPU = 2;
  private static final int MEMORY = 3;
  private static final int EACH = 4;

  private long[] amounts = new long[8 * EACH];
  private int size;

  /** Makes an empty list. */
  public LeastRequests() {}

  /** Inserts the smallest request of a job at a position from 0 to the size. */
  public void add(int position, NodeAmounts least) {
    if (EACH * size == amounts.length) {
      amounts = Arrays.copyOf(amounts, 2 * amounts.length);
    }
    int at = EACH * position;
    System.arraycopy(amounts, at, amounts, at + EACH, EACH * size - at);
    amounts[at + GPUS] = least.gpus();
    amounts[at + SHARE] = least.share();
    amounts[at + CPU] = least.cpu();
    amounts[at + MEMORY] = least.memory();
    size++;
  }

  /** Removes the request at a position. */
  public void remove(int position) {
    int at = EACH * position;
    size--;
    System.arraycopy(amounts, at + EACH, amounts, at, EACH * size - at);
  }

  /**
   * Returns the first position from this one on whose request some amounts hold; the end if none
   * do.
   */
  public int nextHeld(int from, NodeAmounts... byAnyOf) {
    for (int position = from; position < size; position++) {
      for (NodeAmounts amounts : byAnyOf) {
        if (isHeld(EACH * position, amounts)) {
          return position;
        }
      }
    }
    return Math.max(from, size);
  }

  private boolean isHeld(int at, NodeAmounts by) {
    return amounts[at + GPUS] <= by.gpus()
        && amounts[at + SHARE] <= by.share()
        && amounts[at + CPU] <= by.cpu()
        && amounts[at + MEMORY] <= by.memory();
  }
}
