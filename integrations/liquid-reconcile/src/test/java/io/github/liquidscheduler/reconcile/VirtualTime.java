package io.github.liquidscheduler.reconcile;

import io.github.liquidscheduler.runtime.WakeUpTimer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/** A clock, a stopwatch, an executor and a timer of one process, which a test drives. */
final class VirtualTime implements InstantSource, Executor, WakeUpTimer, LongSupplier {

  /** The process was killed: nothing of it runs any more. */
  static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  private record Ring(long at, Runnable task) {}

  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private final List<Ring> rings = new ArrayList<>();
  private final FakeManager manager;
  private int stepsToLive = Integer.MAX_VALUE;
  private int tasksToDo = Integer.MAX_VALUE;

  VirtualTime(FakeManager manager) {
    this.manager = manager;
  }

  /** Kills the process after some more steps. */
  void kill(int steps) {
    stepsToLive = steps;
  }

  /** Suspends the process after some more tasks. */
  void suspend(int tasks) {
    tasksToDo = tasks;
  }

  void resume() {
    tasksToDo = Integer.MAX_VALUE;
  }

  boolean isSuspended() {
    return tasksToDo == 0;
  }

  /** One step of the process; those of a process that was killed are not done. */
  void step() {
    if (stepsToLive-- <= 0) {
      stepsToLive = 0;
      throw new Killed();
    }
  }

  @Override
  public Instant instant() {
    return BEGIN.plusMillis(manager.millis());
  }

  @Override
  public long getAsLong() {
    return Duration.ofMillis(manager.millis()).toNanos();
  }

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
  }

  @Override
  public Runnable schedule(Duration delay, Runnable task) {
    Ring ring = new Ring(manager.millis() + Math.max(1, delay.toMillis()), task);
    rings.add(ring);
    return () -> rings.remove(ring);
  }

  /** Runs all that is due. */
  void run() {
    for (Optional<Ring> next = due(); next.isPresent() && !isSuspended(); next = due()) {
      rings.remove(next.get());
      next.get().task().run();
    }
    while (!tasks.isEmpty() && !isSuspended()) {
      tasksToDo--;
      step();
      tasks.remove().run();
    }
  }

  private Optional<Ring> due() {
    return rings.stream()
        .filter(ring -> ring.at() <= manager.millis())
        .min(Comparator.comparing(Ring::at));
  }
}
