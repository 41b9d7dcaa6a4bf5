package io.github.liquidscheduler.runtime;

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

/** A clock, an executor and a timer that go on when a test says so, in the test's thread. */
final class ManualTime implements InstantSource, Executor, WakeUpTimer {

  static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private record Ring(Instant at, Runnable task) {}

  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private final List<Ring> rings = new ArrayList<>();
  private Instant now = NOON;

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
    Ring ring = new Ring(now.plus(delay), task);
    rings.add(ring);
    return () -> rings.remove(ring);
  }

  /** Runs one task, if there is any. */
  boolean step() {
    Optional<Runnable> next = Optional.ofNullable(tasks.poll());
    next.ifPresent(Runnable::run);
    return next.isPresent();
  }

  /** Runs all tasks, and those that they bring. */
  void settle() {
    while (step()) {
      // Each step may bring others.
    }
  }

  /** Lets time pass: what is due rings at its time. */
  void pass(Duration duration) {
    settle();
    Instant end = now.plus(duration);
    for (Optional<Ring> next = next(end); next.isPresent(); next = next(end)) {
      rings.remove(next.get());
      set(next.get().at().isBefore(now) ? now : next.get().at());
      next.get().task().run();
      settle();
    }
    set(end);
  }

  private Optional<Ring> next(Instant end) {
    return rings.stream()
        .filter(ring -> !ring.at().isAfter(end))
        .min(Comparator.comparing(Ring::at));
  }

  /** Rings what is set, whatever the time. */
  void ringAll() {
    List<Ring> early = List.copyOf(rings);
    rings.clear();
    early.forEach(ring -> ring.task().run());
    settle();
  }

  /** Sets the clock, back too. */
  void set(Instant time) {
    now = time;
  }

  /** Returns when the timer rings, in order. */
  List<Instant> set() {
    return rings.stream().map(Ring::at).sorted().toList();
  }
}
