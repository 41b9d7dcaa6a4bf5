package io.github.liquidscheduler.runtime;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Wakes the loop when time has passed and nothing else happens. */
@FunctionalInterface
public interface WakeUpTimer {

  /**
   * Runs {@code task}, which is short, once after a delay, on any thread; later is safe.
   *
   * @param delay how long to wait, positive
   * @return what calls it off; calling off what has run does nothing
   */
  Runnable schedule(Duration delay, Runnable task);

  /** Returns a timer that uses a thread of {@code executor} for a moment at each wake-up. */
  static WakeUpTimer of(ScheduledExecutorService executor) {
    Objects.requireNonNull(executor, "executor");
    return (delay, task) -> {
      Future<?> waiting = executor.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
      return () -> waiting.cancel(false);
    };
  }
}
