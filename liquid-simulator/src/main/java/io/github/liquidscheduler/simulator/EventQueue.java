package io.github.liquidscheduler.simulator;

import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Future events, earliest first. Entries of equal time leave in the order of their keys. */
final class EventQueue {

  private final PriorityQueue<Entry> entries =
      new PriorityQueue<>(Comparator.comparingLong(Entry::time).thenComparingLong(Entry::key));

  private record Entry(long time, long key, @Nullable SimulatedJob job) {}

  boolean isEmpty() {
    return entries.isEmpty();
  }

  /** Returns the time of the first entry; there must be one. */
  long time() {
    return entries.element().time;
  }

  /** Returns the key of the first entry; there must be one. */
  long key() {
    return entries.element().key;
  }

  /** Returns the job that the first entry, which there must be, is about; null if about none. */
  @Nullable SimulatedJob job() {
    return entries.element().job;
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
    entries.add(new Entry(time, key, job));
  }

  /** Removes the first entry; there must be one. */
  void remove() {
    entries.remove();
  }
}
