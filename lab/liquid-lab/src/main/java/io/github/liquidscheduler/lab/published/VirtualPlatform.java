package io.github.liquidscheduler.lab.published;

import io.github.liquidscheduler.runtime.WakeUpTimer;
import io.github.liquidscheduler.simulator.storage.EventClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.Executor;

/**
 * A clock, an executor and a timer in virtual time, for what runs in real time elsewhere. Things
 * happen in the order of their times, at one instant in the order in which they were asked for.
 */
final class VirtualPlatform implements EventClock, Executor, WakeUpTimer {
  private final Queue<Happening> happenings =
      new PriorityQueue<>(Comparator.comparing(Happening::at).thenComparingLong(Happening::number));
  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private Instant now = Instant.EPOCH;
  private long number;

  /** A future event, and its order among the requests. */
  private record Happening(Instant at, long number, Runnable action) {}

  @Override
  public Instant instant() {
    return now;
  }

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
  }

  @Override
  public Runnable schedule(Duration delay, Runnable task) {
    Happening happening = new Happening(now.plus(delay), number++, task);
    happenings.add(happening);
    return () -> happenings.remove(happening);
  }

  /** Lets everything happen until nothing is left. */
  public void run() {
    work();
    for (Happening next = happenings.poll(); next != null; next = happenings.poll()) {
      now = next.at();
      next.action().run();
      work();
    }
  }

  private void work() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }
}
