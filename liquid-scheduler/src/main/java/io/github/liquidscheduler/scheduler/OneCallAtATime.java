package io.github.liquidscheduler.scheduler;

import java.util.ConcurrentModificationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Tells when an object that is not thread-safe is called while another call is under way: from a
 * second thread, or by something that the call itself has called. Best effort: of two such calls at
 * least one fails, most of the time.
 */
final class OneCallAtATime {

  private final String owner;
  private final AtomicBoolean busy = new AtomicBoolean();

  /** Makes a guard of {@code owner}, which messages name. */
  OneCallAtATime(String owner) {
    this.owner = owner;
  }

  /**
   * Makes a call and returns its answer.
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
