package io.github.liquidscheduler.simulator;

import java.util.Arrays;

/**
 * What is to happen, the earliest first: a binary heap over two primitive arrays, so that an entry
 * costs 16 bytes and no garbage. Entries of equal time leave in the order of their keys.
 */
final class EventQueue {

  private long[] times = new long[64];
  private long[] keys = new long[64];
  private int size;

  boolean isEmpty() {
    return size == 0;
  }

  /** Returns the time of the first entry; there must be one. */
  long time() {
    return times[0];
  }

  /** Returns the key of the first entry; there must be one. */
  long key() {
    return keys[0];
  }

  void add(long time, long key) {
    if (size == times.length) {
      times = Arrays.copyOf(times, 2 * size);
      keys = Arrays.copyOf(keys, 2 * size);
    }
    int hole = size++;
    while (hole > 0) {
      int parent = (hole - 1) >>> 1;
      if (!isBefore(time, key, parent)) {
        break;
      }
      move(parent, hole);
      hole = parent;
    }
    times[hole] = time;
    keys[hole] = key;
  }

  /** Removes the first entry; there must be one. */
  void remove() {
    size--;
    long time = times[size];
    long key = keys[size];
    int hole = 0;
    for (int child = 1; child < size; child = 2 * hole + 1) {
      if (child + 1 < size && isBefore(times[child + 1], keys[child + 1], child)) {
        child++;
      }
      if (isBefore(time, key, child)) {
        break;
      }
      move(child, hole);
      hole = child;
    }
    times[hole] = time;
    keys[hole] = key;
  }

  private boolean isBefore(long time, long key, int other) {
    return time < times[other] || (time == times[other] && key < keys[other]);
  }

  private void move(int from, int to) {
    times[to] = times[from];
    keys[to] = keys[from];
  }
}
