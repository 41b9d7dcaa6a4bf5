package io.github.liquidscheduler.scheduler;

import java.util.ConcurrentModificationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Detects overlapping calls on an object that is not thread-safe, from a second thread or
 * reentrant. Best effort: of two overlapping calls at least one usually fails.
 */
final class OneCallAtATime {

  private final String owner;
  private final AtomicBoolean busy = new AtomicBoolean();

  /** Makes a guard; messages name {@code owner}. */
  OneCallAtATime(String owner) {
    this.owner = owner;
  }

  /**
   * Makes a call and returns its result.
   *
   * @throws ConcurrentModificationException if another call is under way; this one is not made
   */
  <T> T call(String method, Supplier<T> call) {
    if (!busy.compareAndSet(false, true)) {
      throw new ConcurrentModificationException(
          "%s must be called by one thread at a time, and not by what it calls itself, but %s was called while another call was under way"
              .formatted(owner, method));
    }
    try {
      return call.get();
    } finally {
      busy.set(false);
    }
  }
}
