package io.github.liquidscheduler.elastic.protocol;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;

/** A clock that jumps from one thing to do to the next. */
final class VirtualTime implements InstantSource {
  private static final Instant START = Instant.EPOCH;

  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparing(Event::at).thenComparing(Event::number));
  private Instant now = START;
  private long scheduled;

  private record Event(Instant at, long number, Runnable action) {}

  @Override
  public Instant instant() {
    return now;
  }

  Duration elapsed() {
    return Duration.between(START, now);
  }

  void after(Duration delay, Runnable action) {
    events.add(new Event(now.plus(delay), scheduled++, action));
  }

  /** Does what is due, in order, until this holds; returns whether it does. */
  boolean runUntil(BooleanSupplier done, Duration limit) {
    Instant end = now.plus(limit);
    while (!done.getAsBoolean()) {
      Event next = events.poll();
      if (next == null || next.at().isAfter(end)) {
        return false;
      }
      now = next.at();
      next.action().run();
    }
    return true;
  }
}
