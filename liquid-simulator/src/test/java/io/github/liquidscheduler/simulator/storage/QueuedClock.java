package io.github.liquidscheduler.simulator.storage;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;

/** A clock that goes from one thing that was asked for to the next. */
final class QueuedClock implements EventClock {
  private final Queue<Due> due =
      new PriorityQueue<>(Comparator.comparing(Due::at).thenComparingInt(Due::number));
  private Instant now = Instant.EPOCH;
  private int number;

  private record Due(Instant at, int number, Runnable task) {}

  @Override
  public Instant instant() {
    return now;
  }

  @Override
  public Runnable schedule(Duration delay, Runnable task) {
    Due next = new Due(now.plus(delay), number++, task);
    due.add(next);
    return () -> due.remove(next);
  }

  /** Lets everything happen until nothing is left. */
  void run() {
    for (Due next = due.poll(); next != null; next = due.poll()) {
      now = next.at();
      next.task().run();
    }
  }
}
