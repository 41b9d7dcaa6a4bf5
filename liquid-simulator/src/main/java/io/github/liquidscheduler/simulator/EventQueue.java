package io.github.liquidscheduler.simulator;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Future events, earliest first: a binary heap over plain arrays, so that an entry costs three
 * slots and no garbage. Entries of equal time leave in the order of their keys.
 */
final class EventQueue {

  private long[] times = new long[64];
  private long[] keys = new long[64];
  private @Nullable SimulatedJob[] jobs = new SimulatedJob[64];
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

  /** Returns the job that the first entry, which there must be, is about; null if about none. */
  @Nullable SimulatedJob job() {
    return jobs[0];
  }

  /** Adds what is to happen to a job. */
  void add(long time, EventType type, SimulatedJob job) {
    add(time, type.key(job.position()), job);
  }

  /** Adds the {@code index}th thing of its type, which is about no job in the system. */
  void add(long time, EventType type, int index) {
    add(time, type.key(index), null);
  }

  void add(long time, long key, @Nullable SimulatedJob job) {
    if (size == times.length) {
      times = Arrays.copyOf(times, 2 * size);
      keys = Arrays.copyOf(keys, 2 * size);
      jobs = Arrays.copyOf(jobs, 2 * size);
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
    put(hole, time, key, job);
  }

  /** Removes the first entry; there must be one. */
  void remove() {
    size--;
    long time = times[size];
    long key = keys[size];
    SimulatedJob job = jobs[size];
    jobs[size] = null;
    if (size == 0) {
      return;
    }
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
    put(hole, time, key, job);
  }

  private void put(int at, long time, long key, @Nullable SimulatedJob job) {
    times[at] = time;
    keys[at] = key;
    jobs[at] = job;
  }

  private boolean isBefore(long time, long key, int other) {
    return time < times[other] || (time == times[other] && key < keys[other]);
  }

  private void move(int from, int to) {
    times[to] = times[from];
    keys[to] = keys[from];
    jobs[to] = jobs[from];
  }
}
