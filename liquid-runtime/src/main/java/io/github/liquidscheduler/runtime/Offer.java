package io.github.liquidscheduler.runtime;

import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * An event that somebody reports, before it has its time.
 *
 * @param event makes the event of the time at which its turn comes
 * @param reportedNanos when it was reported, by the loop's stopwatch
 * @param answer what was decided
 */
record Offer(
    Function<Instant, ? extends ClusterEvent> event,
    long reportedNanos,
    CompletableFuture<List<Decision>> answer) {

  Offer {
    Objects.requireNonNull(event, "event");
  }

  Offer(Function<Instant, ? extends ClusterEvent> event, long reportedNanos) {
    this(event, reportedNanos, new CompletableFuture<>());
  }

  /** The event with its time, and who waits for what is decided about it. */
  record Dated(ClusterEvent event, Offer offer) {
    Dated {
      Objects.requireNonNull(event, "event");
    }
  }
}
