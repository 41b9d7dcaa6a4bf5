package io.github.liquidscheduler.reconcile;

import io.github.liquidscheduler.runtime.WakeUpTimer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Queue;
import java.util.function.LongSupplier;

/**
 * When to look: again and again, soon after a hint, and more often while a change is expected, but
 * never while a look lasts, and so that the manager lists for at most a fifth of the time. What a
 * listing costs is the shortest of the last five, since a busy machine on this side makes single
 * ones long. Thread-safe.
 */
final class LookTimes {
  private static final Duration AFTER_HINT = Duration.ofMillis(50);
  private static final Duration WHILE_EXPECTED = Duration.ofMillis(250);
  private static final int RESTS_PER_LISTING = 4;
  private static final int LISTINGS = 5;

  private final LongSupplier stopwatch;
  private final WakeUpTimer timer;
  private final Duration between;
  private final Runnable look;
  private final Queue<Long> listings = new ArrayDeque<>();
  private boolean isLooking;
  private boolean isHinted;
  private boolean isExpected;
  private boolean isSet;
  private boolean isOver;
  private long earliest;
  private long due;
  private Runnable callOff = () -> {};

  /** Makes times at which {@code look} is called, on the timer's thread. */
  LookTimes(LongSupplier stopwatch, WakeUpTimer timer, Duration between, Runnable look) {
    this.stopwatch = stopwatch;
    this.timer = timer;
    this.between = between;
    this.look = look;
    earliest = stopwatch.getAsLong();
  }

  /** Looks soon: something may have changed. */
  synchronized void hint() {
    isHinted = true;
    set(AFTER_HINT);
  }

  /** Looks sooner after the look that lasts: what was commanded may show any moment. */
  synchronized void expect() {
    isExpected = true;
  }

  /** Begins a look, unless one lasts. */
  synchronized boolean begins() {
    if (isOver || isLooking) {
      return false;
    }
    isLooking = true;
    isHinted = false;
    isExpected = false;
    isSet = false;
    return true;
  }

  /** Notes how long a listing took, which is over. */
  synchronized void listed(long nanos) {
    if (listings.size() == LISTINGS) {
      listings.remove();
    }
    listings.add(nanos);
    earliest = stopwatch.getAsLong() + RESTS_PER_LISTING * Collections.min(listings);
  }

  /** Ends a look. */
  synchronized void ends() {
    isLooking = false;
    set(isHinted ? AFTER_HINT : isExpected && isLong() ? WHILE_EXPECTED : between);
  }

  private boolean isLong() {
    return between.compareTo(WHILE_EXPECTED) > 0;
  }

  synchronized void stop() {
    isOver = true;
    callOff.run();
  }

  private void set(Duration delay) {
    long now = stopwatch.getAsLong();
    long at = Math.max(earliest, now + delay.toNanos());
    if (isOver || isLooking || (isSet && due <= at)) {
      return;
    }
    callOff.run();
    isSet = true;
    due = at;
    callOff = timer.schedule(Duration.ofNanos(Math.max(1, at - now)), look);
  }
}
